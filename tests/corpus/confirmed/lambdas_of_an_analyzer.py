# deepspeed deepspeed-0.19.8/deepspeed/runtime/data_pipeline/data_sampling/data_analyzer.py:822 MPS102
# AttributeError: Can't pickle local object 'compare.<locals>.<lambda>'
import multiprocessing
from multiprocessing import Process


class Analyzer:
    def __init__(self, dataset, metric_functions, num_threads):
        self.dataset = dataset
        self.metric_functions = metric_functions
        self.num_threads = num_threads

    def run_map_helper(self, thread_id):
        print([function(self.dataset[thread_id]) for function in self.metric_functions])

    def run_map(self):
        processes = [Process(target=self.run_map_helper, args=(i,)) for i in range(self.num_threads)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()


def compare(dataset):
    identity = lambda t: int(t)  # noqa: E731
    Analyzer(dataset, metric_functions=[identity], num_threads=2).run_map()


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    compare([1.0, 2.0])
