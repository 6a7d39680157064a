"""Other libraries: what their functions, methods and attributes give.

Source: the documentation of each library, and its functions called on 3.11 with the releases that `types.libraries`
names.
"""

from __future__ import annotations

from typing import Final

from mpsafe_lint.knowledge.makers.stdlib import Names

MAKES: Final[Names] = {
    # ------------------------------------------------------------------ numpy
    "numpy.ndarray": "numpy.array numpy.asarray numpy.ascontiguousarray numpy.asanyarray numpy.zeros numpy.ones "
    "numpy.empty numpy.full numpy.zeros_like numpy.ones_like numpy.empty_like numpy.full_like numpy.arange "
    "numpy.linspace numpy.logspace numpy.geomspace numpy.eye numpy.identity numpy.diag numpy.concatenate "
    "numpy.stack numpy.vstack numpy.hstack numpy.dstack numpy.column_stack numpy.append numpy.insert numpy.delete "
    "numpy.repeat numpy.tile numpy.reshape numpy.ravel numpy.transpose numpy.squeeze numpy.expand_dims "
    "numpy.moveaxis numpy.swapaxes numpy.flip numpy.fliplr numpy.flipud numpy.roll numpy.rot90 numpy.pad numpy.clip "
    "numpy.argsort numpy.sort numpy.unique numpy.cumsum numpy.cumprod numpy.diff numpy.cross numpy.outer "
    "numpy.fromfile numpy.frombuffer numpy.fromiter numpy.fromstring numpy.loadtxt numpy.genfromtxt numpy.meshgrid "
    "numpy.random.rand numpy.random.randn numpy.random.permutation numpy.random.random numpy.random.normal "
    "numpy.random.uniform numpy.random.randint numpy.copy numpy.isin numpy.argwhere numpy.flatnonzero "
    "numpy.digitize numpy.bincount numpy.interp numpy.take numpy.sqrt numpy.exp numpy.log numpy.abs numpy.sin "
    "numpy.cos numpy.broadcast_to numpy.maximum numpy.minimum numpy.logical_and numpy.logical_or numpy.logical_not "
    "numpy.searchsorted numpy.take_along_axis numpy.atleast_1d numpy.atleast_2d numpy.triu numpy.tril numpy.fft.fft "
    "numpy.fft.rfft numpy.fft.ifft numpy.linalg.inv numpy.lib.stride_tricks.sliding_window_view "
    "numpy.lib.stride_tricks.as_strided cv2.imread cv2.imdecode cv2.resize cv2.cvtColor cv2.warpAffine "
    "cv2.warpPerspective cv2.GaussianBlur cv2.Canny cv2.getRotationMatrix2D cv2.copyMakeBorder cv2.flip cv2.rotate "
    "imageio.imread imageio.v2.imread imageio.v3.imread skimage.io.imread tifffile.imread scipy.ndimage.zoom "
    "scipy.ndimage.gaussian_filter matplotlib.pyplot.imread librosa.resample",
    "list[numpy.ndarray]": "numpy.split numpy.array_split numpy.hsplit numpy.vsplit",
    "tuple[numpy.ndarray]": "numpy.nonzero numpy.histogram numpy.unravel_index cv2.findHomography soundfile.read "
    "librosa.load",
    "numpy.memmap": "numpy.lib.format.open_memmap",
    "numpy.dtype": "numpy.result_type numpy.promote_types",
    "numpy.random.Generator": "numpy.random.default_rng",
    "numpy.ufunc[frompyfunc]": "numpy.frompyfunc",
    "bool": "numpy.allclose numpy.array_equal numpy.isscalar torch.is_tensor torch.allclose torch.equal "
    "torch.cuda.is_available cv2.imwrite pandas.api.types.is_numeric_dtype torch.distributed.is_initialized "
    "torch.distributed.is_available",
    "NoneType": "numpy.save numpy.savez numpy.savez_compressed numpy.savetxt numpy.random.seed numpy.random.shuffle "
    "torch.save torch.manual_seed torch.cuda.manual_seed torch.cuda.manual_seed_all torch.cuda.empty_cache "
    "torch.cuda.set_device torch.set_num_threads matplotlib.pyplot.show matplotlib.pyplot.savefig",
    # ------------------------------------------------------------------ pandas, polars, pyarrow
    "pandas.DataFrame": "pandas.read_excel pandas.read_parquet pandas.read_feather pandas.read_clipboard "
    "pandas.read_fwf pandas.read_orc pandas.read_spss pandas.merge pandas.pivot_table pandas.crosstab pandas.melt "
    "pandas.get_dummies pandas.json_normalize pandas.merge_asof pandas.DataFrame.from_dict "
    "pandas.DataFrame.from_records pandas.read_sql_table geopandas.read_file",
    "list[pandas.DataFrame]": "pandas.read_html",
    "pandas.Index": "pandas.RangeIndex pandas.date_range pandas.period_range pandas.timedelta_range pandas.bdate_range",
    "pandas.Series": "pandas.cut pandas.qcut",
    "polars.DataFrame": "polars.read_csv polars.read_parquet polars.read_json polars.read_ipc polars.read_database "
    "polars.read_excel polars.from_pandas polars.from_dicts polars.from_dict polars.from_arrow",
    "polars.LazyFrame": "polars.scan_csv polars.scan_parquet polars.scan_ipc polars.scan_ndjson",
    "polars.Expr": "polars.col polars.lit polars.when polars.all polars.concat_str",
    "pyarrow.Table": "pyarrow.table pyarrow.concat_tables pyarrow.parquet.read_table pyarrow.csv.read_csv "
    "pyarrow.feather.read_table pyarrow.Table.from_pandas pyarrow.Table.from_pydict pyarrow.Table.from_batches",
    "pyarrow.Array": "pyarrow.array",
    "pyarrow.Schema": "pyarrow.schema pyarrow.parquet.read_schema",
    "pyarrow.MemoryMappedFile": "pyarrow.memory_map",
    "pyarrow.Buffer": "pyarrow.py_buffer",
    "pyarrow.dataset.Dataset": "pyarrow.dataset.dataset",
    "pyarrow.fs.FileSystem": "pyarrow.fs.S3FileSystem",
    "pyarrow.ipc.RecordBatchStreamWriter": "pyarrow.ipc.new_stream pyarrow.RecordBatchStreamWriter",
    "pyarrow.ipc.RecordBatchFileWriter": "pyarrow.ipc.new_file pyarrow.RecordBatchFileWriter",
    # ------------------------------------------------------------------ torch
    "torch.Tensor": "torch.tensor torch.as_tensor torch.from_numpy torch.zeros torch.ones torch.empty torch.full "
    "torch.zeros_like torch.ones_like torch.empty_like torch.full_like torch.rand torch.randn torch.randint "
    "torch.randperm torch.rand_like torch.randn_like torch.arange torch.linspace torch.logspace torch.eye torch.cat "
    "torch.stack torch.concat torch.hstack torch.vstack torch.where torch.sum torch.mean torch.argmax torch.argmin "
    "torch.clamp torch.exp torch.log torch.sqrt torch.abs torch.matmul torch.mm torch.bmm torch.einsum "
    "torch.softmax torch.sigmoid torch.tanh torch.relu torch.flatten torch.reshape torch.transpose torch.permute "
    "torch.squeeze torch.unsqueeze torch.cumsum torch.roll torch.flip torch.multinomial torch.bernoulli "
    "torch.normal torch.nonzero torch.isnan torch.gather torch.index_select torch.norm torch.outer torch.dot "
    "torch.empty_strided torch.frombuffer torch.LongTensor torch.FloatTensor torch.IntTensor torch.ByteTensor "
    "torch.BoolTensor torch.DoubleTensor torch.HalfTensor torch.get_rng_state torch.nn.functional.relu "
    "torch.nn.functional.softmax torch.nn.functional.pad torch.nn.functional.interpolate "
    "torch.nn.functional.one_hot torch.nn.functional.cross_entropy torch.nn.functional.normalize "
    "torch.nn.utils.rnn.pad_sequence torchvision.io.read_image torchvision.transforms.functional.to_tensor "
    "torchvision.transforms.functional.pil_to_tensor",
    "tuple[torch.Tensor]": "torch.split torch.chunk torch.unbind torch.meshgrid",
    "torch.nn.Module": "torch.nn.Linear torch.nn.Bilinear torch.nn.Identity torch.nn.Conv1d torch.nn.Conv2d "
    "torch.nn.Conv3d torch.nn.ConvTranspose1d torch.nn.ConvTranspose2d torch.nn.ConvTranspose3d torch.nn.MaxPool1d "
    "torch.nn.MaxPool2d torch.nn.MaxPool3d torch.nn.AvgPool1d torch.nn.AvgPool2d torch.nn.AvgPool3d "
    "torch.nn.AdaptiveAvgPool1d torch.nn.AdaptiveAvgPool2d torch.nn.AdaptiveMaxPool2d torch.nn.ReLU torch.nn.ReLU6 "
    "torch.nn.LeakyReLU torch.nn.PReLU torch.nn.ELU torch.nn.SELU torch.nn.GELU torch.nn.SiLU torch.nn.Mish "
    "torch.nn.Sigmoid torch.nn.Tanh torch.nn.Softmax torch.nn.LogSoftmax torch.nn.Softplus torch.nn.Hardswish "
    "torch.nn.BatchNorm1d torch.nn.BatchNorm2d torch.nn.BatchNorm3d torch.nn.SyncBatchNorm torch.nn.GroupNorm "
    "torch.nn.LayerNorm torch.nn.InstanceNorm1d torch.nn.InstanceNorm2d torch.nn.InstanceNorm3d torch.nn.Dropout "
    "torch.nn.Dropout1d torch.nn.Dropout2d torch.nn.Dropout3d torch.nn.AlphaDropout torch.nn.Embedding "
    "torch.nn.EmbeddingBag torch.nn.RNN torch.nn.LSTM torch.nn.GRU torch.nn.RNNCell torch.nn.LSTMCell "
    "torch.nn.GRUCell torch.nn.Transformer torch.nn.TransformerEncoder torch.nn.TransformerEncoderLayer "
    "torch.nn.TransformerDecoder torch.nn.TransformerDecoderLayer torch.nn.MultiheadAttention torch.nn.Flatten "
    "torch.nn.Unflatten torch.nn.Upsample torch.nn.PixelShuffle torch.nn.ZeroPad2d torch.nn.ReflectionPad2d "
    "torch.nn.ReplicationPad2d torch.nn.CrossEntropyLoss torch.nn.NLLLoss torch.nn.MSELoss torch.nn.L1Loss "
    "torch.nn.SmoothL1Loss torch.nn.HuberLoss torch.nn.BCELoss torch.nn.BCEWithLogitsLoss torch.nn.KLDivLoss "
    "torch.nn.CosineSimilarity torch.nn.CTCLoss torch.nn.TripletMarginLoss torch.nn.MarginRankingLoss "
    "torch.nn.CosineEmbeddingLoss torch.nn.PoissonNLLLoss torch.nn.parallel.DistributedDataParallel "
    "torch.optim.swa_utils.AveragedModel torch.ao.quantization.QuantStub",
    "torch.optim.Optimizer": "torch.optim.SGD torch.optim.Adam torch.optim.AdamW torch.optim.Adagrad "
    "torch.optim.Adadelta torch.optim.Adamax torch.optim.NAdam torch.optim.RAdam torch.optim.RMSprop "
    "torch.optim.Rprop torch.optim.ASGD torch.optim.LBFGS torch.optim.SparseAdam",
    "torch.optim.lr_scheduler.LRScheduler": "torch.optim.lr_scheduler.StepLR torch.optim.lr_scheduler.MultiStepLR "
    "torch.optim.lr_scheduler.ExponentialLR torch.optim.lr_scheduler.CosineAnnealingLR "
    "torch.optim.lr_scheduler.CosineAnnealingWarmRestarts torch.optim.lr_scheduler.LambdaLR "
    "torch.optim.lr_scheduler.MultiplicativeLR torch.optim.lr_scheduler.ReduceLROnPlateau "
    "torch.optim.lr_scheduler.OneCycleLR torch.optim.lr_scheduler.CyclicLR torch.optim.lr_scheduler.ConstantLR "
    "torch.optim.lr_scheduler.LinearLR torch.optim.lr_scheduler.SequentialLR torch.optim.lr_scheduler.PolynomialLR",
    "torch.amp.GradScaler": "torch.cuda.amp.GradScaler",
    "torch.autocast": "torch.amp.autocast torch.cuda.amp.autocast",
    "torch.no_grad": "torch.enable_grad torch.inference_mode torch.set_grad_enabled",
    "torch.distributions.Distribution": "torch.distributions.Normal torch.distributions.Categorical "
    "torch.distributions.Uniform torch.distributions.Bernoulli torch.distributions.Beta "
    "torch.distributions.MultivariateNormal",
    "torch.jit.ScriptModule": "torch.jit.load",
    "torch.fx.GraphModule": "torch.fx.symbolic_trace",
    "torch.nn.utils.rnn.PackedSequence": "torch.nn.utils.rnn.pack_sequence torch.nn.utils.rnn.pack_padded_sequence",
    "list[torch.utils.data.Subset]": "torch.utils.data.random_split",
    "int": "torch.get_num_threads torch.cuda.device_count torch.cuda.current_device torch.initial_seed torch.seed "
    "torch.distributed.get_rank torch.distributed.get_world_size torch.cuda.memory_allocated",
    # ------------------------------------------------------------------ files of data
    "lmdb.Environment": "lmdb.open",
    "zarr.Group": "zarr.open_group zarr.group zarr.create_group",
    "zarr.Array": "zarr.create zarr.open_array zarr.create_array zarr.zeros zarr.ones zarr.empty zarr.full "
    "zarr.array zarr.save_array",
    "tables.File": "tables.open_file",
    "fsspec.AbstractFileSystem": "fsspec.filesystem fsspec.implementations.memory.MemoryFileSystem",
    "fsspec.core.OpenFile": "fsspec.open",
    "fsspec.mapping.FSMap": "fsspec.get_mapper",
    # ------------------------------------------------------------------ images, video, sound
    "PIL.Image.Image": "PIL.Image.open PIL.Image.new PIL.Image.fromarray PIL.Image.frombytes PIL.Image.merge "
    "PIL.Image.blend PIL.Image.composite PIL.Image.alpha_composite PIL.ImageOps.fit PIL.ImageOps.pad "
    "PIL.ImageOps.expand PIL.ImageOps.exif_transpose PIL.ImageOps.flip PIL.ImageOps.mirror "
    "torchvision.transforms.functional.to_pil_image",
    "PIL.ImageDraw.ImageDraw": "PIL.ImageDraw.Draw",
    "PIL.ImageFont.FreeTypeFont": "PIL.ImageFont.truetype",
    "PIL.ImageFont.FreeTypeFont[default]": "PIL.ImageFont.load_default",
    "cv2.ORB": "cv2.ORB_create cv2.ORB.create",
    "cv2.SIFT": "cv2.SIFT_create cv2.SIFT.create cv2.xfeatures2d.SIFT_create",
    "cv2.AKAZE": "cv2.AKAZE_create",
    "cv2.BRISK": "cv2.BRISK_create",
    "cv2.KAZE": "cv2.KAZE_create",
    "cv2.MSER": "cv2.MSER_create",
    "cv2.BackgroundSubtractorMOG2": "cv2.createBackgroundSubtractorMOG2",
    "cv2.BackgroundSubtractorKNN": "cv2.createBackgroundSubtractorKNN",
    "cv2.CLAHE": "cv2.createCLAHE",
    "cv2.ml.SVM": "cv2.ml.SVM_create",
    "cv2.aruco.Dictionary": "cv2.aruco.getPredefinedDictionary cv2.aruco.Dictionary_get",
    "cv2.LineSegmentDetector": "cv2.createLineSegmentDetector",
    "cv2.face.LBPHFaceRecognizer": "cv2.face.LBPHFaceRecognizer_create",
    "cv2.StereoBM": "cv2.StereoBM_create cv2.StereoBM.create",
    "cv2.StereoSGBM": "cv2.StereoSGBM_create cv2.StereoSGBM.create",
    "cv2.SimpleBlobDetector": "cv2.SimpleBlobDetector_create",
    "cv2.FastFeatureDetector": "cv2.FastFeatureDetector_create",
    "cv2.Stitcher": "cv2.Stitcher_create cv2.Stitcher.create",
    "cv2.DISOpticalFlow": "cv2.DISOpticalFlow_create cv2.DISOpticalFlow.create",
    "cv2.TrackerMIL": "cv2.TrackerMIL_create cv2.TrackerMIL.create",
    "cv2.TrackerKCF": "cv2.TrackerKCF_create cv2.TrackerKCF.create",
    "cv2.TrackerCSRT": "cv2.TrackerCSRT_create cv2.TrackerCSRT.create",
    "cv2.FaceDetectorYN": "cv2.FaceDetectorYN_create cv2.FaceDetectorYN.create",
    "cv2.FaceRecognizerSF": "cv2.FaceRecognizerSF_create cv2.FaceRecognizerSF.create",
    "cv2.dnn.Net": "cv2.dnn.readNet cv2.dnn.readNetFromONNX cv2.dnn.readNetFromCaffe cv2.dnn.readNetFromDarknet "
    "cv2.dnn.readNetFromTensorflow cv2.dnn.readNetFromTorch",
    "imageio.Reader": "imageio.get_reader",
    "pymupdf.Document": "pymupdf.open",
    # ------------------------------------------------------------------ data bases and network
    "sqlalchemy.Engine": "sqlalchemy.create_engine sqlalchemy.engine_from_config sqlmodel.create_engine",
    "sqlalchemy.sql.Select": "sqlalchemy.select sqlmodel.select",
    "sqlalchemy.sql.TextClause": "sqlalchemy.text",
    "sqlalchemy.engine.Inspector": "sqlalchemy.inspect",
    "sqlalchemy.engine.URL": "sqlalchemy.engine.make_url sqlalchemy.make_url",
    "duckdb.DuckDBPyConnection": "duckdb.connect duckdb.cursor duckdb.execute",
    "duckdb.DuckDBPyRelation": "duckdb.sql duckdb.query duckdb.from_query duckdb.read_csv duckdb.read_parquet "
    "duckdb.read_json duckdb.from_df duckdb.table",
    "psycopg2.extensions.connection": "psycopg2.connect",
    "pymysql.connections.Connection": "pymysql.connect pymysql.Connect",
    "redis.Redis": "redis.from_url redis.Redis.from_url",
    "requests.Session": "requests.session",
    "requests.Response": "requests.get requests.post requests.put requests.patch requests.delete requests.head "
    "requests.options requests.request",
    "httpx.Response": "httpx.get httpx.post httpx.put httpx.patch httpx.delete httpx.head httpx.options httpx.request",
    "grpc.Channel": "grpc.insecure_channel grpc.secure_channel grpc.intercept_channel",
    "grpc.ChannelCredentials": "grpc.ssl_channel_credentials",
    "grpc.Server": "grpc.server",
    "grpc.aio.Channel": "grpc.aio.insecure_channel grpc.aio.secure_channel",
    "websocket.WebSocket": "websocket.create_connection",
    # ------------------------------------------------------------------ others
    "lxml.etree._Element": "lxml.etree.fromstring lxml.etree.XML lxml.etree.HTML lxml.etree.Element "
    "lxml.etree.SubElement lxml.etree.Comment",
    "lxml.etree._ElementTree": "lxml.etree.parse lxml.etree.ElementTree",
    "lxml.html.HtmlElement": "lxml.html.fromstring lxml.html.document_fromstring lxml.html.fragment_fromstring",
    "bytes": "lxml.etree.tostring",
    "generator[finite]": "psutil.process_iter networkx.all_simple_paths networkx.connected_components "
    "networkx.bfs_edges networkx.dfs_edges huggingface_hub.list_models",
    "list[int]": "psutil.pids",
    "jinja2.Template": "jinja2.Environment.get_template jinja2.Environment.from_string",
    "function[lambdify]": "sympy.lambdify",
    "networkx.Graph": "networkx.path_graph networkx.complete_graph networkx.read_gml networkx.read_graphml "
    "networkx.from_pandas_edgelist networkx.from_numpy_array networkx.grid_2d_graph networkx.erdos_renyi_graph",
    "onnx.ModelProto": "onnx.load onnx.load_model",
    "omegaconf.DictConfig": "omegaconf.OmegaConf.structured omegaconf.OmegaConf.load omegaconf.OmegaConf.merge "
    "omegaconf.OmegaConf.from_cli omegaconf.OmegaConf.create omegaconf.OmegaConf.from_dotlist hydra.compose",
    "openpyxl.Workbook": "openpyxl.load_workbook",
    "matplotlib.figure.Figure": "matplotlib.pyplot.figure matplotlib.pyplot.gcf",
    "matplotlib.axes.Axes": "matplotlib.pyplot.gca",
    "matplotlib.colors.Colormap": "matplotlib.pyplot.get_cmap matplotlib.cm.get_cmap",
    "tokenizers.Tokenizer": "tokenizers.Tokenizer.from_file tokenizers.Tokenizer.from_pretrained",
    "dict": "torch.hub.load_state_dict_from_url safetensors.torch.load_file attr.asdict attrs.asdict",
}

_FRAME: Final[Names] = {
    "self": "copy head tail fillna dropna astype reset_index sort_values sort_index drop drop_duplicates rename sample "
    "assign query reindex set_index replace round clip apply transform where mask shift interpolate abs ffill bfill "
    "nlargest nsmallest infer_objects convert_dtypes",
    "pandas.Index": "keys",
    "pandas.DataFrame": "merge join pivot pivot_table melt describe agg corr cov to_frame unstack stack explode",
    "pandas.api.typing.DataFrameGroupBy": "groupby",
    "pandas.api.typing.Rolling": "rolling",
    "pandas.api.typing.Expanding": "expanding",
    "pandas.api.typing.ExponentialMovingWindow": "ewm",
    "numpy.ndarray": "to_numpy",
    "dict": "to_dict",
}

DETECTOR: Final[Names] = {"list[cv2.KeyPoint]": "detect", "tuple[list[cv2.KeyPoint]]": "detectAndCompute compute"}

METHODS: Final[dict[str, Names]] = {
    "numpy.ndarray": {
        "numpy.ndarray": "copy astype reshape transpose flatten ravel squeeze swapaxes repeat take cumsum cumprod "
        "argsort clip round dot view byteswap choose compress conj diagonal",
        "list": "tolist",
        "tuple[numpy.ndarray]": "nonzero",
        "bytes": "tobytes tostring",
        "NoneType": "sort fill tofile resize setflags put",
        "data": "item",
    },
    "numpy.lib.npyio.NpzFile": {"collections.abc.KeysView[npz]": "keys", "NoneType": "close", "numpy.ndarray": "get"},
    "numpy.random.Generator": {
        "numpy.ndarray": "permutation choice normal uniform random integers standard_normal",
        "NoneType": "shuffle",
        "bytes": "bytes",
        "list[numpy.random.Generator]": "spawn",
    },
    "numpy.random.RandomState": {
        "numpy.ndarray": "permutation choice normal uniform rand randn randint random_sample",
        "NoneType": "shuffle seed",
    },
    "pandas.DataFrame": _FRAME
    | {
        "generator[finite]": "items iteritems iterrows",
        "pandas.DataFrame.itertuples": "itertuples",
        "pandas.Series": "sum mean max min count nunique value_counts pop squeeze duplicated idxmax idxmin",
    },
    "pandas.Series": _FRAME
    | {
        "pandas.Series.items": "items iteritems",
        "list": "tolist to_list",
        "numpy.ndarray": "unique to_numpy",
        "pandas.Series": "map value_counts isin isnull notnull isna notna cumsum",
    },
    "pandas.Index": {"list": "tolist to_list", "numpy.ndarray": "to_numpy", "self": "unique copy sort_values"},
    "pandas.api.typing.DataFrameGroupBy": {
        "pandas.DataFrame": "sum mean max min first last agg apply head tail get_group count transform",
        "pandas.Series": "size ngroup cumcount",
    },
    "pandas.io.parsers.readers.TextFileReader": {"pandas.DataFrame": "get_chunk read", "NoneType": "close"},
    "pandas.ExcelFile": {"pandas.DataFrame": "parse"},
    "pandas.HDFStore": {"list[str]": "keys", "generator[finite]": "walk items", "pandas.DataFrame": "select get"},
    "polars.DataFrame": {
        "polars.LazyFrame": "lazy",
        "generator[finite]": "iter_rows iter_columns iter_slices",
        "polars.dataframe.group_by.GroupBy": "group_by groupby",
        "list[tuple]": "rows",
        "list[polars.DataFrame]": "partition_by",
        "list[dict]": "to_dicts",
        "pandas.DataFrame": "to_pandas",
        "numpy.ndarray": "to_numpy",
        "pyarrow.Table": "to_arrow",
        "self": "filter select with_columns head tail sort join drop rename slice sample unique",
    },
    "polars.LazyFrame": {"polars.DataFrame": "collect fetch", "self": "filter select with_columns sort join limit"},
    "pyarrow.Table": {
        "pyarrow.RecordBatchReader": "to_reader",
        "list[pyarrow.RecordBatch]": "to_batches",
        "pandas.DataFrame": "to_pandas",
        "list[dict]": "to_pylist",
        "dict": "to_pydict",
        "pyarrow.ChunkedArray": "column",
        "self": "slice select filter",
    },
    "pyarrow.dataset.Dataset": {
        "pyarrow.dataset.Scanner": "scanner",
        "pyarrow.generator": "to_batches get_fragments",
        "pyarrow.Table": "to_table head take",
    },
    "pyarrow.parquet.ParquetFile": {
        "pyarrow.generator": "iter_batches",
        "pyarrow.Table": "read read_row_group read_row_groups",
    },
    "pyarrow.fs.FileSystem": {"pyarrow.NativeFile": "open_input_file open_input_stream open_output_stream"},
    "torch.Tensor": {
        "torch.Tensor": "to cpu cuda detach clone float double half long int bool view reshape permute transpose "
        "squeeze unsqueeze flatten contiguous expand repeat sum mean max min argmax argmin sort topk softmax "
        "sigmoid tanh relu exp log sqrt abs clamp pow matmul mm t type share_memory_ pin_memory requires_grad_ "
        "narrow select index_select gather scatter masked_fill cumsum flip roll norm",
        "numpy.ndarray": "numpy",
        "list": "tolist",
        "data": "item",
        "torch.Size": "size",
        "int": "dim numel ndimension get_device element_size",
        "tuple[torch.Tensor]": "split chunk unbind",
        "torch.UntypedStorage": "untyped_storage",
        "torch.storage.TypedStorage": "storage",
        "NoneType": "backward",
    },
    "torch.nn.Module": {
        "generator[finite]": "parameters named_parameters children named_children modules named_modules buffers "
        "named_buffers",
        "collections.OrderedDict": "state_dict",
        "self": "to cpu cuda eval train float half double requires_grad_ apply share_memory",
        "torch.utils.hooks.RemovableHandle": "register_forward_hook register_forward_pre_hook "
        "register_full_backward_hook",
        "NoneType": "register_buffer register_parameter add_module zero_grad",
    },
    "torch.nn.ModuleDict": {"dict_keys": "keys", "dict_items": "items", "dict_values": "values"},
    "torch.nn.ParameterDict": {"dict_keys": "keys", "generator[finite]": "items values"},
    "torch.optim.Optimizer": {"dict": "state_dict", "NoneType": "zero_grad"},
    "torch.Generator": {"torch.Generator": "manual_seed", "int": "initial_seed seed", "torch.Tensor": "get_state"},
    "h5py.Group": {
        "h5py.KeysViewHDF5": "keys",
        "h5py.ValuesViewHDF5": "values",
        "h5py.ItemsViewHDF5": "items",
        "h5py.Group": "create_group require_group",
        "h5py.Dataset": "create_dataset require_dataset create_dataset_like",
        "NoneType": "visit visititems",
    },
    "h5py.File": {"NoneType": "close flush", "self": "__enter__"},
    "h5py.Dataset": {"h5py.AsTypeView": "astype", "int": "len", "NoneType": "resize flush read_direct"},
    "h5py.AttributeManager": {"h5py.KeysViewHDF5[attrs]": "keys values items", "data": "get"},
    "lmdb.Environment": {
        "lmdb.Transaction": "begin",
        "dict[data]": "stat info",
        "NoneType": "close sync",
        "str": "path",
        "self": "__enter__",
    },
    "lmdb.Transaction": {
        "lmdb.Cursor": "cursor",
        "bytes": "get pop",
        "bool": "put delete",
        "NoneType": "commit abort",
        "self": "__enter__",
    },
    "lmdb.Cursor": {
        "lmdb._Iterator": "iternext iterprev",
        "bytes": "key value",
        "bool": "first next prev last set_key set_range",
    },
    "zarr.Group": {
        "generator[finite]": "array_keys group_keys keys arrays groups members array_values group_values",
        "zarr.Array": "create_array require_array create_dataset zeros ones empty full",
        "zarr.Group": "create_group require_group",
    },
    "netCDF4.Dataset": {
        "netCDF4.Variable": "createVariable",
        "netCDF4.Group": "createGroup",
        "netCDF4.Dimension": "createDimension",
        "NoneType": "close sync",
    },
    "rasterio.io.MemoryFile": {"rasterio.io.DatasetReader": "open"},
    "rasterio.io.DatasetReader": {"numpy.ndarray": "read", "NoneType": "close"},
    "tables.File": {
        "tables.Group": "create_group",
        "tables.Leaf": "create_array create_table create_earray create_carray",
    },
    "fsspec.core.OpenFile": {"fsspec.core.PickleableTextIOWrapper": "open"},
    "PIL.Image.Image": {
        "PIL.Image.Image": "convert resize crop rotate transpose copy filter thumbnail point quantize getchannel",
        "PIL.Image.PixelAccess": "load",
        "PIL.Image.ImagingCore": "getdata",
        "bytes": "tobytes",
        "NoneType": "save close show paste putpixel",
        "self": "__enter__",
    },
    "cv2.ORB": DETECTOR,
    "cv2.SIFT": DETECTOR,
    "cv2.AKAZE": DETECTOR,
    "cv2.BRISK": DETECTOR,
    "cv2.KAZE": DETECTOR,
    "cv2.FastFeatureDetector": DETECTOR,
    "cv2.SimpleBlobDetector": DETECTOR,
    "cv2.BFMatcher": {"list[cv2.DMatch]": "match", "list[list[cv2.DMatch]]": "knnMatch radiusMatch"},
    "cv2.FlannBasedMatcher": {"list[cv2.DMatch]": "match", "list[list[cv2.DMatch]]": "knnMatch radiusMatch"},
    "cv2.VideoCapture": {"bool": "isOpened grab open set", "float": "get", "NoneType": "release"},
    "av.container.InputContainer": {"generator[finite]": "decode demux", "NoneType": "close seek"},
    "av.container.OutputContainer": {"av.Stream": "add_stream", "NoneType": "close mux"},
    "soundfile.SoundFile": {
        "numpy.ndarray": "read",
        "generator[finite]": "blocks",
        "NoneType": "close",
        "int": "seek tell",
    },
    "sqlalchemy.Engine": {
        "sqlalchemy.Connection": "connect begin",
        "sqlalchemy.engine._ConnectionFairy": "raw_connection",
        "NoneType": "dispose",
    },
    "sqlalchemy.Connection": {
        "sqlalchemy.engine.CursorResult": "execute exec_driver_sql",
        "sqlalchemy.engine.Transaction": "begin begin_nested",
        "NoneType": "commit rollback close",
        "self": "__enter__ execution_options",
    },
    "sqlalchemy.engine.CursorResult": {
        "list[sqlalchemy.engine.Row]": "fetchall all fetchmany",
        "sqlalchemy.engine.Row": "first fetchone one one_or_none",
    },
    "sqlalchemy.orm.Session": {
        "sqlalchemy.orm.Query": "query",
        "sqlalchemy.engine.CursorResult": "execute",
        "self": "__enter__",
    },
    "duckdb.DuckDBPyConnection": {
        "duckdb.DuckDBPyConnection": "cursor execute executemany __enter__ begin commit",
        "duckdb.DuckDBPyRelation": "sql query table from_df read_csv read_parquet",
        "list[tuple]": "fetchall fetchmany",
        "pandas.DataFrame": "df fetchdf fetch_df",
    },
    "duckdb.DuckDBPyRelation": {
        "pandas.DataFrame": "df to_df fetchdf",
        "list[tuple]": "fetchall fetchmany",
        "pyarrow.Table": "arrow to_arrow_table",
        "polars.DataFrame": "pl",
        "duckdb.DuckDBPyRelation": "filter project limit order aggregate join",
    },
    "psycopg2.extensions.connection": {"psycopg2.extensions.cursor": "cursor", "NoneType": "commit rollback close"},
    "psycopg2.extensions.cursor": {"list": "fetchall fetchmany", "NoneType": "execute executemany close"},
    "pymysql.connections.Connection": {"pymysql.cursors.Cursor": "cursor", "NoneType": "commit rollback close"},
    "pymysql.cursors.Cursor": {"int": "execute executemany", "NoneType": "close"},
    "pymongo.MongoClient": {"pymongo.database.Database": "get_database get_default_database", "NoneType": "close"},
    "pymongo.database.Database": {"pymongo.collection.Collection": "get_collection create_collection"},
    "pymongo.collection.Collection": {
        "pymongo.cursor.Cursor": "find aggregate",
        "data": "find_one",
        "int": "count_documents",
    },
    "redis.Redis": {
        "redis.client.Pipeline": "pipeline",
        "redis.client.PubSub": "pubsub",
        "redis.lock.Lock": "lock",
        "data": "get set incr decr hget hgetall lrange lpop rpop keys",
        "generator": "scan_iter hscan_iter sscan_iter",
    },
    "requests.Session": {
        "requests.Response": "get post put patch delete head options request send",
        "self": "__enter__",
        "NoneType": "close mount",
    },
    "requests.Response": {"data": "json", "generator": "iter_content iter_lines", "NoneType": "raise_for_status close"},
    "httpx.Client": {"httpx.Response": "get post put patch delete head options request send", "self": "__enter__"},
    "httpx.Response": {"data": "json"},
    "zmq.Context": {"zmq.Socket": "socket", "NoneType": "term destroy"},
    "zmq.Socket": {"bytes": "recv", "str": "recv_string", "list[bytes]": "recv_multipart", "data": "recv_json"},
    "grpc.Channel": {"grpc.UnaryUnaryMultiCallable": "unary_unary unary_stream stream_unary stream_stream"},
    "paramiko.SSHClient": {"paramiko.Transport": "get_transport"},
    "boto3.Session": {"boto3.client": "client", "boto3.resource": "resource"},
    "lxml.etree._Element": {
        "lxml.etree.ElementDepthFirstIterator": "iter iterdescendants getiterator",
        "lxml.etree.ElementChildIterator": "iterchildren",
        "lxml.etree._Element": "find getparent getnext getprevious",
        "lxml.etree._ElementTree": "getroottree",
        "list[lxml.etree._Element]": "findall xpath cssselect",
        "list[str]": "keys",
        "data": "get findtext",
    },
    "lxml.etree._ElementTree": {
        "lxml.etree._Element": "getroot find",
        "lxml.etree.ElementDepthFirstIterator": "iter",
        "list[lxml.etree._Element]": "findall xpath",
    },
    "omegaconf.DictConfig": {"dict_keys": "keys", "dict_items": "items", "dict_values": "values"},
    "networkx.Graph": {
        "dict_keyiterator": "neighbors",
        "dict_itemiterator": "adjacency",
        "networkx.reportviews.NodeView": "nodes",
        "networkx.reportviews.EdgeView": "edges",
        "networkx.Graph": "copy subgraph to_directed to_undirected reverse",
        "int": "number_of_nodes number_of_edges order size",
    },
    "jinja2.Environment": {"jinja2.Template": "get_template from_string select_template"},
    "jinja2.Template": {"str": "render", "generator": "generate stream"},
    "onnxruntime.InferenceSession": {"list": "run get_inputs get_outputs"},
    "tqdm.tqdm": {"NoneType": "update close set_description set_postfix refresh write"},
}

ATTRIBUTES: Final[dict[str, Names]] = {
    "numpy.ndarray": {
        "numpy.ndarray": "T real imag",
        "numpy.flatiter": "flat",
        "tuple[int]": "shape strides",
        "int": "size ndim nbytes itemsize",
        "numpy.dtype": "dtype",
        "memoryview": "data",
    },
    "numpy.lib.npyio.NpzFile": {"list[str]": "files"},
    "pandas.DataFrame": {
        "pandas.Index": "columns index",
        "numpy.ndarray": "values",
        "tuple[int]": "shape",
        "pandas.core.indexing._LocIndexer": "loc iloc at iat",
        "pandas.Series": "dtypes",
        "pandas.DataFrame": "T",
        "pandas.io.formats.style.Styler": "style",
        "bool": "empty",
    },
    "pandas.Series": {
        "pandas.Index": "index",
        "numpy.ndarray": "values",
        "pandas.core.indexing._LocIndexer": "loc iloc at iat",
        "pandas.core.strings.accessor.StringMethods": "str",
        "str": "name",
    },
    "pandas.Index": {"numpy.ndarray": "values"},
    "pandas.api.typing.DataFrameGroupBy": {"dict": "groups indices"},
    "pandas.ExcelFile": {"list[str]": "sheet_names"},
    "polars.DataFrame": {"list[str]": "columns", "polars.Schema": "schema", "tuple[int]": "shape"},
    "pyarrow.Table": {"pyarrow.Schema": "schema", "list[str]": "column_names", "int": "num_rows num_columns"},
    "torch.Tensor": {
        "torch.Tensor": "T data grad mT",
        "torch.Size": "shape",
        "torch.dtype": "dtype",
        "torch.device": "device",
        "torch.autograd.Node": "grad_fn",
        "int": "ndim nbytes",
        "bool": "requires_grad is_cuda",
    },
    "torch.nn.Module": {"bool": "training"},
    "torch.optim.Optimizer": {"list[dict]": "param_groups", "collections.defaultdict": "state"},
    "h5py.Group": {"h5py.AttributeManager": "attrs", "str": "name", "h5py.File": "file", "h5py.Group": "parent"},
    "h5py.File": {"str": "filename mode", "h5py.h5f.FileID": "id"},
    "h5py.Dataset": {
        "h5py.AttributeManager": "attrs",
        "tuple[int]": "shape",
        "numpy.dtype": "dtype",
        "int": "size ndim",
        "h5py.File": "file",
        "h5py.h5d.DatasetID": "id",
        "h5py.Reference": "ref",
        "str": "name",
    },
    "zarr.Group": {"zarr.Attributes": "attrs"},
    "zarr.Array": {"zarr.Attributes": "attrs", "tuple[int]": "shape chunks", "numpy.dtype": "dtype"},
    "netCDF4.Dataset": {
        "dict[netCDF4.Variable]": "variables",
        "dict[netCDF4.Dimension]": "dimensions",
        "dict[netCDF4.Group]": "groups",
    },
    "rasterio.io.DatasetReader": {
        "rasterio.profiles.Profile": "profile",
        "affine.Affine": "transform",
        "int": "width height count",
    },
    "PIL.Image.Image": {"tuple[int]": "size", "int": "width height", "str": "mode format"},
    "sqlalchemy.Engine": {"sqlalchemy.pool.Pool": "pool", "sqlalchemy.engine.URL": "url"},
    "requests.Response": {"str": "text url reason", "bytes": "content", "int": "status_code"},
    "httpx.Response": {"str": "text", "bytes": "content", "int": "status_code"},
    "lxml.etree._Element": {"lxml.etree._Attrib": "attrib", "str": "tag", "data": "text tail"},
    "networkx.Graph": {
        "networkx.reportviews.NodeView": "nodes",
        "networkx.reportviews.EdgeView": "edges",
        "networkx.reportviews.DegreeView": "degree",
        "networkx.coreviews.AdjacencyView": "adj",
    },
}

VALUES: Final[Names] = {
    "torch.Generator": "torch.default_generator torch.random.default_generator",
    "torch.dtype": "torch.float32 torch.float64 torch.float16 torch.bfloat16 torch.int64 torch.int32 torch.int16 "
    "torch.int8 torch.uint8 torch.bool torch.long torch.float torch.half torch.double torch.int",
    "float": "numpy.pi numpy.e numpy.inf numpy.nan torch.pi torch.inf",
    "NoneType": "numpy.newaxis",
    "int": "PIL.Image.BILINEAR PIL.Image.NEAREST PIL.Image.BICUBIC PIL.Image.LANCZOS cv2.INTER_LINEAR "
    "cv2.INTER_NEAREST cv2.INTER_AREA cv2.INTER_CUBIC cv2.COLOR_BGR2RGB cv2.COLOR_BGR2GRAY cv2.IMREAD_COLOR "
    "cv2.IMREAD_GRAYSCALE cv2.IMREAD_UNCHANGED cv2.BORDER_CONSTANT cv2.BORDER_REFLECT",
    "str": "torch.__version__ numpy.__version__",
}

BASES: Final[dict[str, str]] = {
    "numpy.memmap": "numpy.ndarray",
    "numpy.recarray": "numpy.ndarray",
    "numpy.ma.MaskedArray": "numpy.ndarray",
    "numpy.matrix": "numpy.ndarray",
    "pandas.api.typing.SeriesGroupBy": "pandas.api.typing.DataFrameGroupBy",
    "torch.nn.Parameter": "torch.Tensor",
    "torch.nn.ModuleList": "torch.nn.Module",
    "torch.nn.ModuleDict": "torch.nn.Module",
    "torch.nn.Sequential": "torch.nn.Module",
    "torch.nn.ParameterList": "torch.nn.Module",
    "torch.nn.ParameterDict": "torch.nn.Module",
    "torch.nn.DataParallel": "torch.nn.Module",
    "torch.jit.ScriptModule": "torch.nn.Module",
    "torch.jit.TopLevelTracedModule": "torch.jit.ScriptModule",
    "torch.fx.GraphModule": "torch.nn.Module",
    "torch.utils.data.IterableDataset": "torch.utils.data.Dataset",
    "torch.utils.data.ConcatDataset": "torch.utils.data.Dataset",
    "torch.utils.data.ChainDataset": "torch.utils.data.IterableDataset",
    "torch.utils.data.Subset": "torch.utils.data.Dataset",
    "torch.utils.data.TensorDataset": "torch.utils.data.Dataset",
    "torch.utils.data.StackDataset": "torch.utils.data.Dataset",
    "torch.utils.data.SequentialSampler": "torch.utils.data.Sampler",
    "torch.utils.data.RandomSampler": "torch.utils.data.Sampler",
    "torch.utils.data.BatchSampler": "torch.utils.data.Sampler",
    "torch.utils.data.WeightedRandomSampler": "torch.utils.data.Sampler",
    "torch.utils.data.SubsetRandomSampler": "torch.utils.data.Sampler",
    "torch.utils.data.distributed.DistributedSampler": "torch.utils.data.Sampler",
    "h5py.File": "h5py.Group",
    "netCDF4.Group": "netCDF4.Dataset",
    "netCDF4.MFDataset": "netCDF4.Dataset",
    "rasterio.io.DatasetWriter": "rasterio.io.DatasetReader",
    "httpx.AsyncClient": "httpx.Client",
    "lxml.html.HtmlElement": "lxml.etree._Element",
    "networkx.DiGraph": "networkx.Graph",
    "networkx.MultiGraph": "networkx.Graph",
    "networkx.MultiDiGraph": "networkx.Graph",
}

ITERATED: Final[Names] = {
    "str": "h5py.Group h5py.KeysViewHDF5 numpy.lib.npyio.NpzFile",
    "pandas.DataFrame": "pandas.io.parsers.readers.TextFileReader pandas.api.typing.JsonReader",
    "pandas.core.frame.Pandas": "pandas.DataFrame.itertuples",
    "torch.Tensor": "torch.Tensor",
    "torch.nn.Module": "torch.nn.Sequential torch.nn.ModuleList",
    "PIL.Image.Image": "PIL.ImageSequence.Iterator",
    "pyarrow.RecordBatch": "pyarrow.RecordBatchReader",
    "lxml.etree._Element": "lxml.etree._Element lxml.etree.ElementDepthFirstIterator lxml.etree.ElementChildIterator",
    "sqlalchemy.engine.Row": "sqlalchemy.engine.CursorResult",
}

ITERATORS: Final[Names] = {
    "self": "pandas.DataFrame.itertuples pandas.Series.items numpy.nditer numpy.flatiter numpy.ndenumerate "
    "numpy.ndindex pandas.io.parsers.readers.TextFileReader pyarrow.generator polars.dataframe.group_by.GroupByIter "
    "lmdb._Iterator lxml.etree.ElementDepthFirstIterator lxml.etree.ElementChildIterator PIL.ImageSequence.Iterator "
    "torch.utils.data.dataloader._SingleProcessDataLoaderIter "
    "torch.utils.data.dataloader._MultiProcessingDataLoaderIter",
    "generator[finite]": "pandas.DataFrame pandas.api.typing.DataFrameGroupBy h5py.Group h5py.Dataset "
    "h5py.KeysViewHDF5 h5py.ItemsViewHDF5 h5py.ValuesViewHDF5 torch.utils.data.RandomSampler "
    "torch.utils.data.BatchSampler torch.utils.data.WeightedRandomSampler torch.utils.data.SubsetRandomSampler "
    "tqdm.tqdm zarr.Group",
    "map": "pandas.Series pandas.Index",
    "iterator": "numpy.ndarray",
    "tuple_iterator": "torch.Tensor",
    "list_iterator": "numpy.lib.npyio.NpzFile",
    "dict_keyiterator": "torch.nn.ModuleDict torch.nn.ParameterDict networkx.Graph networkx.reportviews.NodeView",
    "dict_valueiterator": "torch.nn.Sequential torch.nn.ModuleList",
    "range_iterator": "torch.utils.data.SequentialSampler",
    "torch.utils.data.dataloader._MultiProcessingDataLoaderIter": "torch.utils.data.DataLoader[workers]",
    "torch.utils.data.dataloader._SingleProcessDataLoaderIter": "torch.utils.data.DataLoader",
    "polars.dataframe.group_by.GroupByIter": "polars.dataframe.group_by.GroupBy",
    "lmdb._Iterator": "lmdb.Cursor",
    "lxml.etree.ElementChildIterator": "lxml.etree._Element",
}

ITEMS: Final[Names] = {
    "numpy.ndarray": "numpy.lib.npyio.NpzFile h5py.Dataset zarr.Array netCDF4.Variable",
    "torch.Tensor": "torch.Tensor",
    "h5py.Dataset": "h5py.Group",
    "netCDF4.Variable": "netCDF4.Dataset",
    "pandas.Series": "pandas.DataFrame",
    "pandas.api.typing.DataFrameGroupBy": "pandas.api.typing.DataFrameGroupBy",
    "polars.Series": "polars.DataFrame",
    "pyarrow.ChunkedArray": "pyarrow.Table",
    "torch.nn.Module": "torch.nn.Sequential torch.nn.ModuleList torch.nn.ModuleDict",
    "pymongo.database.Database": "pymongo.MongoClient",
    "pymongo.collection.Collection": "pymongo.database.Database",
    "pymupdf.Page": "pymupdf.Document",
}
