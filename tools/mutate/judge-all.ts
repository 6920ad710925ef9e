import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Verdict } from './judge.ts';
import type { Mutant } from './mutant.ts';
import type { WorkerResponse, WorkerInput } from './worker.ts';

/** Mutants per thread: loaded modules stay in memory until their thread ends. */
const MAX_MUTANTS_PER_THREAD = 150;
/** Memory limit in MB: ends the exploration of a mutant whose context grows without end. */
const THREAD_MEMORY_MB = 1024;

export type JudgeOptions = {
  root: string;
  threads: number;
  replays: boolean;
  /** Judge only by the rules and the tests of all models. */
  rules: boolean;
  /** Time limit in ms for a mutant; a timeout counts as detected. */
  timeOut: number;
  onJudged?: (count: number) => void;
};

const createWorker = (input: WorkerInput): Worker => {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
  });
  // Prevents an uncaught error when the thread fails without a pending request, such as after a
  // timeout.
  worker.on('error', () => {});
  return worker;
};

const toPathsVerdict = (reason: string): Verdict => ({ byPaths: reason, byReplay: null });

/** The reason why a thread sent no response: a timeout, or a crash. */
type ThreadFailure = { reason: string; isLate: boolean };

const judgeInWorker = async (worker: Worker, mutant: Mutant, timeOut: number): Promise<WorkerResponse | ThreadFailure> => {
  // The thread has ended since its last response.
  if (worker.threadId === -1) return { reason: 'ends its thread', isLate: false };
  const signal = AbortSignal.timeout(timeOut);
  worker.postMessage(mutant);
  try {
    const [response] = (await once(worker, 'message', { signal })) as [WorkerResponse];
    return response;
  } catch (error) {
    await worker.terminate();
    const isLate = signal.aborted;
    return { reason: isLate ? `does not end within ${timeOut / 1000} s` : `ends its thread: ${String(error)}`, isLate };
  }
};

const judgeChunk = async (mutants: readonly Mutant[], options: JudgeOptions): Promise<Verdict[]> => {
  const { root, replays, rules, timeOut, onJudged } = options;
  const verdicts: Verdict[] = [];
  const startWorker = () => createWorker({ root, replays, rules });
  let worker = startWorker();
  for (const mutant of mutants) {
    let result = await judgeInWorker(worker, mutant, timeOut);
    if ('reason' in result && !result.isLate) {
      // Retries in a new thread: the old one may have run out of memory because of earlier mutants.
      worker = startWorker();
      result = await judgeInWorker(worker, mutant, timeOut);
    }
    if ('reason' in result) worker = startWorker();
    if ('fault' in result) throw new Error(result.fault);
    verdicts.push('reason' in result ? toPathsVerdict(result.reason) : result);
    onJudged?.(1);
  }
  await worker.terminate();
  return verdicts;
};

const toChunks = (mutants: readonly Mutant[], threads: number): Mutant[][] => {
  const size = Math.min(MAX_MUTANTS_PER_THREAD, Math.ceil(mutants.length / threads));
  return Array.from({ length: Math.ceil(mutants.length / size) }, (_, index) => mutants.slice(index * size, (index + 1) * size));
};

/**
 * Judges each mutant by the tests of paths and the recorded visits; returns the verdicts by key.
 * @throws Error if these tests fail without a mutation
 */
export const judgeAll = async (mutants: readonly Mutant[], options: JudgeOptions): Promise<Map<string, Verdict>> => {
  const queue = toChunks(mutants, options.threads);
  const verdictsByKey = new Map<string, Verdict>();
  const judgeQueue = async (): Promise<void> => {
    for (let chunk = queue.shift(); chunk; chunk = queue.shift()) {
      const verdicts = await judgeChunk(chunk, options);
      for (const [index, mutant] of chunk.entries())
        verdictsByKey.set(mutant.key, verdicts[index] ?? toPathsVerdict('was not judged'));
    }
  };
  await Promise.all(Array.from({ length: options.threads }, judgeQueue));
  return verdictsByKey;
};
