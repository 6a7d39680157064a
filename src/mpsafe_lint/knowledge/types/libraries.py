"""Types of other libraries.

Measured on CPython 3.11 where a row names no other source, with h5py 3.16, lmdb 3.0, numpy 2.4, pandas 3.1, torch 2.13,
Pillow 12, OpenCV 4.14 and 5.0, pyarrow 26, SQLAlchemy 2.1 and the releases of the others from the same months.
"""

from __future__ import annotations

from typing import Final

from mpsafe_lint.knowledge.types.row import (
    CANNOT,
    CANNOT_BARE,
    GENERATOR,
    LOCK,
    READER,
    RLOCK,
    SENT,
    SERIALIZERS,
    TEXT_FILE,
    WRITER,
    TypeRow,
    cannot,
    local,
    missing,
    text,
)

CINIT: Final = text("TypeError: no default __reduce__ due to non-trivial __cinit__")
ENGINE: Final = local("create_engine.<locals>.connect")
H5PY: Final = text("TypeError: h5py objects cannot be pickled")
KEYED: Final = cannot("KeyedRef")
LOCAL: Final = cannot("_thread._local")
NETCDF: Final = text("NotImplementedError: Dataset is not picklable")
RECURSION: Final = text("RecursionError: maximum recursion depth exceeded")
SSL: Final = cannot("SSLContext")
STORAGE: Final = text(
    "RuntimeError: unable to resize file <filename not specified> to the right size: Invalid argument (22)"
)
WEAKREF: Final = cannot("weakref.ReferenceType")
WEAK_VALUES: Final = local("WeakValueDictionary.__init__.<locals>.remove")
NOT_SCRIPTED: Final = text(
    "RuntimeError: Tried to serialize object __torch__.… which does not have a __getstate__ method defined!"
)


ROWS: Final[tuple[TypeRow, ...]] = (
    # ------------------------------------------------------------------ numpy, scipy
    TypeRow(
        "numpy.ndarray numpy.recarray numpy.ma.MaskedArray numpy.matrix numpy.chararray",
        "",
        walks=True,
        finite="always",
        keeps_attributes=False,
    ),
    TypeRow(
        "numpy.generic numpy.dtype numpy.ufunc numpy.random.SeedSequence numpy.random.BitGenerator numpy.iinfo "
        "numpy.errstate numpy.poly1d numpy.polynomial.Polynomial numpy.ndindex numpy.float64 numpy.float32 "
        "numpy.float16 numpy.int64 numpy.int32 numpy.int16 numpy.int8 numpy.uint8 numpy.uint16 numpy.uint32 "
        "numpy.uint64 numpy.bool_ numpy.str_ numpy.datetime64 numpy.timedelta64 numpy._ArrayFunctionDispatcher",
        "",
    ),
    TypeRow("numpy.ndarray[loaded]", "", walks=True, source="numpy.load gives an array, or an NpzFile"),
    TypeRow("numpy.random.Generator numpy.random.RandomState", "", keeps_attributes=False),
    TypeRow(
        "numpy.memmap",
        "native-object",
        (),
        dill=cannot("mmap.mmap"),
        finite="always",
        keeps_attributes=False,
        source="measured; pickle saves a full copy of the data",
    ),
    TypeRow(
        "numpy.lib.npyio.NpzFile collections.abc.KeysView[npz] collections.abc.ValuesView[npz] "
        "collections.abc.ItemsView[npz]",
        "file-handle",
        READER,
        dill=text("_pickle.PicklingError: Can't pickle 'BagObj' object: <numpy.lib._npyio_impl.BagObj object at 0x…>"),
        finite="always",
    ),
    TypeRow("numpy.nditer numpy.flatiter numpy.broadcast", "iterator", CANNOT, finite="always"),
    TypeRow("numpy.ndenumerate", "iterator", cannot("numpy.flatiter"), finite="always"),
    TypeRow(
        "numpy.ufunc[frompyfunc]",
        "misnamed",
        text(
            "_pickle.PicklingError: Can't pickle <ufunc '… "
            "(vectorized)'>: attribute lookup … (vectorized) on __main__ failed"
        ),
        dill=text(
            "_pickle.PicklingError: Can't pickle <ufunc '… (vectorized)'>: it's not found as __main__.… (vectorized)"
        ),
    ),
    TypeRow("numpy.vectorize", "", walks=True, holds=("value",)),
    TypeRow(
        "numpy.finfo",
        "unloadable",
        text("TypeError: finfo.__new__() missing 1 required positional argument: 'dtype'"),
        loads=SERIALIZERS,
    ),
    TypeRow(
        "scipy.sparse.spmatrix scipy.spatial.KDTree scipy.spatial.cKDTree scipy.interpolate.interp1d "
        "scipy.interpolate.CubicSpline scipy.spatial.Delaunay scipy.spatial.ConvexHull "
        "scipy.spatial.transform.Rotation scipy.optimize.OptimizeResult",
        "",
    ),
    TypeRow("scipy.sparse.linalg.SuperLU", "native-object", CANNOT_BARE),
    TypeRow("scipy.io.netcdf_file", "file-handle", WRITER, dill=SENT),
    # ------------------------------------------------------------------ pandas, polars, pyarrow
    TypeRow("pandas.DataFrame pandas.Series", "", walks=True, finite="always"),
    TypeRow(
        "pandas.Index pandas.Timestamp pandas.Timedelta pandas.Categorical pandas.Interval pandas.Grouper "
        "pandas.Period pandas.MultiIndex pandas.DatetimeIndex pandas.core.indexing._LocIndexer "
        "pandas.core.strings.accessor.StringMethods",
        "",
        finite="always",
    ),
    TypeRow(
        "pandas.api.typing.DataFrameGroupBy pandas.api.typing.SeriesGroupBy pandas.api.typing.Rolling "
        "pandas.api.typing.Expanding pandas.api.typing.ExponentialMovingWindow",
        "",
        walks=True,
    ),
    TypeRow(
        "pandas.DataFrame.itertuples",
        "misnamed",
        missing("<class 'pandas.core.frame.Pandas'>", "Pandas", "pandas.core.frame"),
        cloudpickle=GENERATOR,
        dill=GENERATOR,
        finite="always",
    ),
    TypeRow(
        "pandas.core.frame.Pandas",
        "misnamed",
        missing("<class 'pandas.core.frame.Pandas'>", "Pandas", "pandas.core.frame"),
        cloudpickle=SENT,
        dill=SENT,
    ),
    TypeRow("pandas.Series.items", "generator", GENERATOR, finite="always"),
    TypeRow("pandas.io.parsers.readers.TextFileReader", "file-handle", READER, dill=CINIT, finite="always"),
    TypeRow("pandas.api.typing.JsonReader", "file-handle", TEXT_FILE, cloudpickle=SENT, dill=SENT, finite="always"),
    TypeRow("pandas.ExcelFile", "file-handle", READER, dill=SENT),
    TypeRow(
        "pandas.ExcelWriter",
        "file-handle",
        WRITER,
        dill=text("TypeError: ExcelWriter.__new__() missing 1 required positional argument: 'path'"),
        loads=("dill",),
    ),
    TypeRow(
        "pandas.HDFStore tables.File tables.Group",
        "connection",
        WEAK_VALUES,
        cloudpickle=WEAKREF,
        dill=KEYED,
        inherited=True,
    ),
    TypeRow(
        "tables.Leaf",
        "connection",
        text("TypeError: self.dims,self.dims_chunk,self.maxdims cannot be converted to a Python object for pickling"),
    ),
    TypeRow(
        "pandas.io.formats.style.Styler",
        "lambda",
        local("StylerRenderer.__init__.<locals>.<lambda>"),
        cloudpickle=SENT,
        dill=SENT,
    ),
    TypeRow(
        "polars.DataFrame polars.LazyFrame polars.Series polars.Expr polars.Schema polars.dataframe.group_by.GroupBy",
        "",
        finite="always",
    ),
    TypeRow("polars.dataframe.group_by.GroupByIter", "generator", GENERATOR, finite="always"),
    TypeRow("polars.SQLContext", "native-object", cannot("builtins.PySQLContext")),
    TypeRow(
        "pyarrow.Table pyarrow.RecordBatch pyarrow.Array pyarrow.ChunkedArray pyarrow.Scalar pyarrow.Schema "
        "pyarrow.Buffer pyarrow.DataType pyarrow.dataset.Dataset pyarrow.fs.FileSystem",
        "",
    ),
    TypeRow(
        "pyarrow.parquet.ParquetFile pyarrow.parquet.ParquetWriter pyarrow.MemoryMappedFile pyarrow.OSFile "
        "pyarrow.NativeFile pyarrow.BufferReader pyarrow.BufferOutputStream pyarrow.ipc.RecordBatchStreamWriter "
        "pyarrow.ipc.RecordBatchFileWriter",
        "connection",
        CINIT,
    ),
    TypeRow(
        "pyarrow.dataset.Scanner",
        "connection",
        text("TypeError: self.scanner,self.wrapped cannot be converted to a Python object for pickling"),
    ),
    TypeRow(
        "pyarrow.RecordBatchReader",
        "connection",
        text("TypeError: self.reader cannot be converted to a Python object for pickling"),
        finite="always",
    ),
    TypeRow(
        "pyarrow.generator",
        "generator",
        cannot("_cython_3_3_0.generator"),
        finite="always",
        source="measured; the name holds the version of Cython",
    ),
    # ------------------------------------------------------------------ torch
    TypeRow("torch.Tensor torch.nn.Parameter", "", walks=True, finite="always"),
    TypeRow(
        "torch.Tensor[non-leaf]",
        "internal",
        (),
        forking=text(
            "RuntimeError: Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does "
            "not support crossing process boundaries.  If you just want to transfer the data, call detach() on the "
            "tensor before serializing (e.g., putting it on the queue)."
        ),
    ),
    TypeRow(
        "torch.nn.Module torch.nn.ModuleList torch.nn.ModuleDict torch.nn.Sequential torch.nn.ParameterList "
        "torch.nn.ParameterDict torch.nn.DataParallel torch.utils.data.Dataset torch.utils.data.IterableDataset "
        "torch.utils.data.ConcatDataset torch.utils.data.ChainDataset torch.utils.data.Subset "
        "torch.utils.data.TensorDataset torch.utils.data.StackDataset torch.utils.data.Sampler "
        "torch.utils.data.SequentialSampler torch.utils.data.RandomSampler torch.utils.data.BatchSampler "
        "torch.utils.data.WeightedRandomSampler torch.utils.data.SubsetRandomSampler "
        "torch.utils.data.distributed.DistributedSampler torch.utils.data.DataLoader",
        "",
        walks=True,
        holds=("value",),
    ),
    TypeRow("torch.utils.data.IterDataPipe torch.utils.data.MapDataPipe", "", walks=True, holds=("value",)),
    TypeRow(
        "torch.device torch.dtype torch.Size torch.no_grad torch.autocast torch.amp.GradScaler "
        "torch.profiler.profile torch.nn.utils.rnn.PackedSequence torch.distributions.Distribution "
        "torch.storage.TypedStorage torch.utils.hooks.RemovableHandle torch.fx.GraphModule",
        "",
    ),
    TypeRow("torch.optim.Optimizer", "", walks=True, keeps_attributes=False),
    TypeRow("torch.optim.lr_scheduler.LRScheduler", "", walks=True, holds=("value",)),
    TypeRow("torch.Generator", "unloadable", (), spawning=STORAGE, loads=("spawning",), keeps_attributes=False),
    TypeRow(
        "torch.utils.data.DataLoader[generator] torch.utils.data.RandomSampler[generator] "
        "torch.utils.data.WeightedRandomSampler[generator] torch.utils.data.SubsetRandomSampler[generator]",
        "unloadable",
        (),
        spawning=STORAGE,
        loads=("spawning",),
        walks=True,
    ),
    TypeRow(
        "torch.utils.data.dataloader._SingleProcessDataLoaderIter "
        "torch.utils.data.dataloader._MultiProcessingDataLoaderIter",
        "iterator",
        text("NotImplementedError: ('{} cannot be pickled', '{last}')"),
        finite="sources",
    ),
    TypeRow("torch.jit.ScriptFunction", "native-object", text("_pickle.PickleError: ScriptFunction cannot be pickled")),
    TypeRow("torch.jit.ScriptModule torch.jit.TopLevelTracedModule", "native-object", NOT_SCRIPTED, inherited=True),
    TypeRow("torch.finfo torch.iinfo", "native-object", CANNOT),
    TypeRow(
        "torch.UntypedStorage",
        "unloadable",
        text("AttributeError: type object 'torch.storage.UntypedStorage' has no attribute 'dtype'"),
        forking=SENT,
        loads=("pickle", "cloudpickle", "dill"),
    ),
    TypeRow(
        "torch.autograd.Node",
        "internal",
        cannot("MulBackward0"),
        source="measured for a product: the text names the operation",
    ),
    TypeRow("torch.futures.Future", "thread-object", text("RuntimeError: Can not pickle torch.futures.Future")),
    TypeRow("torch.package.PackageExporter", "native-object", cannot("torch._C.PyTorchFileWriter")),
    TypeRow(
        "torch.utils.tensorboard.SummaryWriter tensorboardX.SummaryWriter",
        "thread-object",
        LOCK,
        dill=SENT,
        inherited=True,
    ),
    TypeRow(
        "torchvision.transforms.Compose torchvision.transforms.Lambda torchvision.transforms.RandomApply "
        "torchvision.transforms.RandomChoice torchvision.transforms.RandomOrder",
        "",
        walks=True,
        holds=("value",),
        source="torchvision/transforms/transforms.py: plain attributes",
    ),
    # ------------------------------------------------------------------ h5py, lmdb, zarr, netCDF4, rasterio
    TypeRow("h5py.File h5py.Group h5py.Dataset h5py.AsTypeView", "connection", H5PY, finite="always", inherited=True),
    TypeRow("h5py.KeysViewHDF5 h5py.ValuesViewHDF5 h5py.ItemsViewHDF5", "connection", H5PY, finite="always"),
    TypeRow(
        "h5py.AttributeManager h5py.h5f.FileID h5py.h5d.DatasetID h5py.KeysViewHDF5[attrs]",
        "unloadable",
        text("TypeError: __cinit__() takes exactly 1 positional argument (0 given)"),
        loads=SERIALIZERS,
    ),
    TypeRow("h5py.Reference", "native-object", CINIT),
    TypeRow("h5py.Empty", ""),
    TypeRow("lmdb.Environment lmdb.Transaction lmdb.Cursor", "connection", CANNOT_BARE),
    TypeRow("lmdb._Iterator", "iterator", CANNOT_BARE, finite="always"),
    TypeRow(
        "zarr.Group zarr.Array zarr.Attributes zarr.storage.ZipStore zarr.storage.LocalStore "
        "zarr.storage.MemoryStore zarr.storage.FsspecStore",
        "",
    ),
    TypeRow("netCDF4.Dataset netCDF4.Group netCDF4.Dimension netCDF4.MFDataset", "connection", NETCDF, inherited=True),
    TypeRow("netCDF4.Variable", "connection", text("NotImplementedError: Variable is not picklable")),
    TypeRow(
        "rasterio.io.DatasetReader rasterio.io.DatasetWriter",
        "connection",
        text("TypeError: self._hds cannot be converted to a Python object for pickling"),
    ),
    TypeRow(
        "rasterio.io.MemoryFile",
        "connection",
        text("TypeError: self._vsif cannot be converted to a Python object for pickling"),
    ),
    TypeRow("rasterio.Env rasterio.profiles.Profile rasterio.windows.Window affine.Affine", ""),
    TypeRow("tifffile.TiffFile imageio.Reader", "file-handle", READER, dill=SENT),
    TypeRow("tifffile.TiffWriter", "file-handle", WRITER, dill=SENT),
    # ------------------------------------------------------------------ images, video, sound
    TypeRow(
        "PIL.Image.Image PIL.ImageSequence.Iterator",
        "",
        source="measured; an image that was opened lazily is loaded, a closed one fails",
    ),
    TypeRow("PIL.ImageDraw.ImageDraw PIL.Image.ImagingCore", "native-object", cannot("ImagingCore"), inherited=True),
    TypeRow("PIL.Image.PixelAccess", "native-object", CANNOT_BARE),
    TypeRow(
        "PIL.ImageFont.FreeTypeFont[default]", "unloadable", text("OSError: cannot open resource"), loads=SERIALIZERS
    ),
    TypeRow(
        "PIL.ImageFont.FreeTypeFont PIL.ImageFont.ImageFont",
        "",
        source="PIL/ImageFont.py: a font that was read from a path is read again",
    ),
    TypeRow(
        "cv2.VideoCapture cv2.ml.SVM cv2.aruco.ArucoDetector cv2.aruco.Dictionary cv2.aruco.DetectorParameters "
        "cv2.Subdiv2D cv2.LineSegmentDetector cv2.barcode.BarcodeDetector cv2.face.LBPHFaceRecognizer "
        "cv2.VideoWriter cv2.CascadeClassifier cv2.ORB cv2.SIFT cv2.AKAZE cv2.BRISK cv2.KAZE cv2.BFMatcher "
        "cv2.FlannBasedMatcher cv2.BackgroundSubtractorMOG2 cv2.BackgroundSubtractorKNN cv2.CLAHE cv2.dnn.Net "
        "cv2.KeyPoint cv2.DMatch cv2.UMat cv2.HOGDescriptor cv2.QRCodeDetector cv2.KalmanFilter cv2.StereoBM "
        "cv2.StereoSGBM cv2.SimpleBlobDetector cv2.FileStorage cv2.TickMeter cv2.MSER cv2.FastFeatureDetector "
        "cv2.Stitcher cv2.DISOpticalFlow cv2.TrackerMIL cv2.TrackerKCF cv2.TrackerCSRT ",
        "native-object",
        CANNOT,
        inherited=True,
    ),
    TypeRow(
        "cv2.FaceDetectorYN cv2.FaceRecognizerSF cv2.dnn.DetectionModel",
        "native-object",
        CANNOT,
        inherited=True,
        source="not built, they need a model; of the same generated bindings as those above",
    ),
    TypeRow("av.container.InputContainer av.container.OutputContainer", "connection", CINIT, finite="always"),
    TypeRow("av.VideoFrame av.AudioFrame av.Packet", "native-object", CINIT),
    TypeRow("av.Stream", "connection", text("TypeError: self.ptr cannot be converted to a Python object for pickling")),
    TypeRow(
        "av.CodecContext",
        "native-object",
        text("TypeError: self.parser,self.ptr cannot be converted to a Python object for pickling"),
    ),
    TypeRow("soundfile.SoundFile", "connection", cannot("_cffi_backend.__CDataOwn"), inherited=True),
    # ------------------------------------------------------------------ data bases
    TypeRow(
        "sqlalchemy.Engine sqlalchemy.Connection", "connection", ENGINE, cloudpickle=LOCAL, dill=LOCAL, inherited=True
    ),
    TypeRow(
        "sqlalchemy.engine.Inspector sqlalchemy.engine.Transaction sqlalchemy.pool.Pool",
        "connection",
        ENGINE,
        cloudpickle=WEAKREF,
        dill=LOCAL,
    ),
    TypeRow("sqlalchemy.orm.Session sqlalchemy.orm.Query", "connection", WEAKREF, dill=LOCAL, inherited=True),
    TypeRow("sqlalchemy.orm.Session[unbound]", "connection", WEAKREF, dill=SENT),
    TypeRow(
        "sqlalchemy.orm.sessionmaker",
        "connection",
        text(
            "_pickle.PicklingError: Can't pickle <class "
            "'sqlalchemy.orm.session.Session'>: it's not the same object as sqlalchemy.orm.session.Session"
        ),
        cloudpickle=SENT,
        dill=SENT,
    ),
    TypeRow("sqlalchemy.orm.sessionmaker[bound]", "connection", ENGINE, cloudpickle=LOCAL, dill=LOCAL),
    TypeRow(
        "sqlalchemy.orm.scoped_session",
        "connection",
        text(
            "_pickle.PicklingError: Can't pickle <class "
            "'sqlalchemy.orm.session.Session'>: it's not the same object as sqlalchemy.orm.session.Session"
        ),
        cloudpickle=LOCAL,
        dill=LOCAL,
    ),
    TypeRow(
        "sqlalchemy.engine.CursorResult",
        "connection",
        local("BaseResultInternal._row_getter.<locals>.single_row_simple"),
        dill=text(
            "_pickle.PicklingError: Can't pickle <cyfunction "
            "BaseResultInternal._row_getter.<locals>.single_row_simple at 0x…>: it's not found as "
            "sqlalchemy.engine._result_cy.BaseResultInternal._row_getter.<locals>.single_row_simple"
        ),
        finite="always",
    ),
    TypeRow(
        "sqlalchemy.engine._ConnectionFairy", "connection", cannot("sqlite3.Connection"), source="measured with sqlite"
    ),
    TypeRow(
        "sqlalchemy.MetaData sqlalchemy.Table sqlalchemy.Column sqlalchemy.engine.Row sqlalchemy.engine.URL "
        "sqlalchemy.sql.Select sqlalchemy.sql.TextClause",
        "",
    ),
    TypeRow("duckdb.DuckDBPyConnection", "connection", CANNOT_BARE),
    TypeRow("duckdb.DuckDBPyRelation", "connection", cannot("DuckDBPyConnection")),
    TypeRow("psycopg2.extensions.connection psycopg2.extensions.cursor", "connection", CANNOT, inherited=True),
    TypeRow(
        "pymysql.connections.Connection pymysql.cursors.Cursor",
        "connection",
        SSL,
        source="measured unconnected; a connection with its own SSLContext",
    ),
    TypeRow("pymongo.MongoClient pymongo.database.Database", "connection", LOCK, dill=SENT, inherited=True),
    TypeRow("pymongo.collection.Collection pymongo.cursor.Cursor", "connection", LOCK, dill=RECURSION, loads=("dill",)),
    TypeRow("redis.Redis", "connection", RLOCK, dill=SENT, inherited=True),
    TypeRow("redis.ConnectionPool", "connection", LOCK, dill=SENT, inherited=True),
    TypeRow("redis.client.Pipeline redis.client.PubSub", "connection", LOCK, dill=SENT),
    TypeRow("redis.lock.Lock", "connection", RLOCK, dill=LOCAL),
    # ------------------------------------------------------------------ network
    TypeRow(
        "requests.Session requests.Response requests.Request requests.PreparedRequest "
        "requests.adapters.HTTPAdapter requests.cookies.RequestsCookieJar urllib3.Retry "
        "requests.exceptions.RequestException requests.auth.HTTPBasicAuth",
        "",
        walks=True,
    ),
    TypeRow("urllib3.PoolManager", "connection", RLOCK, dill=SENT, inherited=True),
    TypeRow("urllib3.HTTPConnectionPool urllib3.HTTPSConnectionPool", "connection", LOCK, dill=SENT),
    TypeRow("httpx.Client httpx.AsyncClient", "connection", RLOCK, dill=SSL, inherited=True),
    TypeRow("httpx.Response httpx.Request httpx.Timeout aiohttp.ClientTimeout", ""),
    TypeRow(
        "aiohttp.ClientSession",
        "connection",
        local("WeakSet.__init__.<locals>._remove"),
        cloudpickle=cannot("_contextvars.Context"),
        dill=cannot("select.epoll"),
        inherited=True,
    ),
    TypeRow("websocket.WebSocket websocket.WebSocketApp", "connection", LOCK, dill=SENT, inherited=True),
    TypeRow("elasticsearch.Elasticsearch", "connection", LOCAL),
    TypeRow(
        "zmq.Context",
        "connection",
        text("TypeError: self.handle cannot be converted to a Python object for pickling"),
        inherited=True,
    ),
    TypeRow(
        "zmq.Socket",
        "connection",
        text("TypeError: self._draft_poller,self.handle cannot be converted to a Python object for pickling"),
    ),
    TypeRow("zmq.Poller", "", walks=True),
    TypeRow("grpc.Channel grpc.ChannelCredentials grpc.UnaryUnaryMultiCallable", "connection", CINIT),
    TypeRow("grpc.Server", "connection", RLOCK, dill=CINIT),
    TypeRow(
        "grpc.aio.Channel",
        "connection",
        local("WeakSet.__init__.<locals>._remove"),
        cloudpickle=cannot("_contextvars.Context"),
        dill=cannot("_contextvars.ContextVar"),
    ),
    TypeRow("paramiko.SSHClient", "", walks=True, source="measured unconnected; a connected one holds a Transport"),
    TypeRow("paramiko.Transport", "connection", LOCK, dill=cannot("socket")),
    TypeRow("paramiko.RSAKey", "native-object", cannot("cryptography.hazmat.bindings._rust.openssl.rsa.RSAPrivateKey")),
    TypeRow(
        "boto3.client",
        "connection",
        missing("<class 'botocore.client.…'>", "…", "botocore.client"),
        cloudpickle=LOCK,
        dill=SSL,
        source="measured for s3: the text names the service",
    ),
    TypeRow(
        "boto3.resource",
        "connection",
        text(
            (
                "3.8-3.13",
                "_pickle.PicklingError: Can't pickle <class 'boto3.resources.factory.….ServiceResource'>: attribute "
                "lookup ….ServiceResource on boto3.resources.factory failed",
            ),
            (
                "3.14+",
                "_pickle.PicklingError: "
                "Can't pickle <class 'boto3.resources.factory.….ServiceResource'>: it's not found as "
                "boto3.resources.factory.….ServiceResource",
            ),
        ),
        cloudpickle=LOCK,
        dill=SSL,
        source="measured for s3: the text names the service",
    ),
    TypeRow(
        "boto3.Session", "connection", local("lazy_call.<locals>._handler"), cloudpickle=SENT, dill=SENT, inherited=True
    ),
    # ------------------------------------------------------------------ others
    TypeRow(
        "lxml.etree._Element lxml.etree._ElementTree lxml.etree._Attrib lxml.etree.XPath lxml.etree.XMLParser "
        "lxml.etree.HTMLParser lxml.etree.QName lxml.etree.XSLT lxml.etree.XMLSchema",
        "native-object",
        CANNOT,
    ),
    TypeRow("lxml.html.HtmlElement", "native-object", CANNOT_BARE),
    TypeRow(
        "lxml.etree.ElementDepthFirstIterator lxml.etree.ElementChildIterator", "iterator", CANNOT, finite="always"
    ),
    TypeRow(
        "tqdm.tqdm",
        "file-handle",
        TEXT_FILE,
        cloudpickle=RECURSION,
        dill=RECURSION,
        loads=("cloudpickle", "dill"),
        finite="sources",
        inherited=True,
        source="measured; with disable=True it pickles",
    ),
    TypeRow("tqdm.tqdm[disabled]", "", walks=True, holds=("value",), finite="sources"),
    TypeRow("filelock.FileLock", "thread-object", RLOCK, dill=cannot("ThreadLocalFileContext"), inherited=True),
    TypeRow("joblib.Parallel", "thread-object", RLOCK, dill=SENT, inherited=True),
    TypeRow("joblib.Memory", ""),
    TypeRow("psutil.Process", "connection", RLOCK, dill=SENT, inherited=True),
    TypeRow("psutil.Popen", "connection", LOCK, dill=RECURSION, loads=("dill",)),
    TypeRow(
        "onnxruntime.InferenceSession",
        "native-object",
        cannot("onnxruntime.capi.onnxruntime_pybind11_state.InferenceSession"),
        inherited=True,
    ),
    TypeRow(
        "onnxruntime.SessionOptions onnxruntime.RunOptions onnxruntime.OrtValue",
        "native-object",
        text("TypeError: cannot pickle 'onnxruntime.capi.onnxruntime_pybind11_state.{last}' object"),
    ),
    TypeRow("onnx.ModelProto", ""),
    TypeRow(
        "pymupdf.Document",
        "connection",
        WEAK_VALUES,
        cloudpickle=WEAKREF,
        dill=cannot("swig_runtime_data5.SwigPyObject"),
    ),
    TypeRow("pymupdf.Page", "connection", cannot("swig_runtime_data5.SwigPyObject")),
    TypeRow("tokenizers.Tokenizer", ""),
    TypeRow("fsspec.AbstractFileSystem fsspec.core.OpenFile fsspec.mapping.FSMap fsspec.spec.AbstractBufferedFile", ""),
    TypeRow(
        "fsspec.core.PickleableTextIOWrapper",
        "file-handle",
        text("ValueError: Cannot serialise open write-mode local file"),
        source="measured; opened for reading it pickles",
    ),
    TypeRow("jinja2.Environment", "", walks=True),
    TypeRow(
        "jinja2.Template",
        "misnamed",
        missing("<function root at 0x…>", "root", "__main__"),
        cloudpickle=text("TypeError: Template.__new__() missing 1 required positional argument: 'source'"),
        dill=text("TypeError: Template.__new__() missing 1 required positional argument: 'source'"),
        loads=("cloudpickle", "dill"),
    ),
    TypeRow(
        "function[lambdify]",
        "misnamed",
        missing("<function _lambdifygenerated at 0x…>", "_lambdifygenerated", "__main__"),
        cloudpickle=SENT,
        dill=SENT,
    ),
    TypeRow("sympy.Symbol sympy.Expr", ""),
    TypeRow(
        "networkx.Graph networkx.DiGraph networkx.MultiGraph networkx.MultiDiGraph "
        "networkx.reportviews.NodeView networkx.reportviews.EdgeView networkx.reportviews.NodeDataView "
        "networkx.reportviews.DegreeView networkx.coreviews.AdjacencyView",
        "",
        walks=True,
        finite="always",
    ),
    TypeRow("omegaconf.DictConfig omegaconf.ListConfig", "", walks=True, finite="always"),
    TypeRow("yaml.SafeLoader yaml.FullLoader yaml.Loader", ""),
    TypeRow("sklearn.base.BaseEstimator", "", walks=True),
    TypeRow("matplotlib.figure.Figure matplotlib.axes.Axes matplotlib.colors.Colormap openpyxl.Workbook", ""),
    TypeRow("sentencepiece.SentencePieceProcessor", "", source="measured; one without a model fails when it is loaded"),
)
