# torch-geometric torch_geometric/utils/geodesic.py:105 MPS203
# AttributeError: Can't pickle local object 'geodesic_distance.<locals>._parallel_loop'
import torch.multiprocessing as mp


def geodesic_distance(rows, num_workers):
    def _parallel_loop(row, i):
        return row * i

    with mp.get_context("spawn").Pool(num_workers) as pool:
        return pool.starmap(_parallel_loop, [(row, i) for i, row in enumerate(rows)])


if __name__ == "__main__":
    print(geodesic_distance([1, 2], 2))
