import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Verdict } from './judge.ts';
import type { Mutant } from './mutant.ts';
import type { WorkerAnswer, WorkerInput } from './worker.ts';

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
  note?: (done: number) => void;
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

const toTimeoutVerdict = (why: string): Verdict => ({ byPaths: why, byReplay: null });

/** The reason why a thread did not answer: a timeout, or a crash. */
type TimedOut = { why: string; isLate: boolean };

const judgeInWorker = async (worker: Worker, mutant: Mutant, timeOut: number): Promise<WorkerAnswer | TimedOut> => {
  // It has ended since the last answer.
  if (worker.threadId === -1) return { why: 'ends its thread', isLate: false };
  const signal = AbortSignal.timeout(timeOut);
  worker.postMessage(mutant);
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [WorkerAnswer];
    return answer;
  } catch (error) {
    await worker.terminate();
    const isLate = signal.aborted;
    return { why: isLate ? `does not end within ${timeOut / 1000} s` : `ends its thread: ${String(error)}`, isLate };
  }
};

const judgeChunk = async (mutants: readonly Mutant[], options: JudgeOptions): Promise<Verdict[]> => {
  const { root, replays, rules, timeOut, note } = options;
  const verdicts: Verdict[] = [];
  const start = () => createWorker({ root, replays, rules });
  let worker = start();
  for (const mutant of mutants) {
    let answer = await judgeInWorker(worker, mutant, timeOut);
    if ('why' in answer && !answer.isLate) {
      // Retries in a new thread: the old one may have run out of memory because of earlier mutants.
      worker = start();
      answer = await judgeInWorker(worker, mutant, timeOut);
    }
    if ('why' in answer) worker = start();
    if ('fault' in answer) throw new Error(answer.fault);
    verdicts.push('why' in answer ? toTimeoutVerdict(answer.why) : answer);
    note?.(1);
  }
  await worker.terminate();
  return verdicts;
};

const toChunks = (mutants: readonly Mutant[], threads: number): Mutant[][] => {
  const size = Math.min(MAX_MUTANTS_PER_THREAD, Math.ceil(mutants.length / threads));
  return Array.from({ length: Math.ceil(mutants.length / size) }, (_, at) => mutants.slice(at * size, (at + 1) * size));
};

/**
 * Judges each mutant by the tests of paths and the recorded visits; returns the verdicts by key.
 * @throws Error if these tests fail without a mutation
 */
export const judgeAll = async (mutants: readonly Mutant[], options: JudgeOptions): Promise<Map<string, Verdict>> => {
  const waiting = toChunks(mutants, options.threads);
  const found = new Map<string, Verdict>();
  const work = async (): Promise<void> => {
    for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) {
      const verdicts = await judgeChunk(chunk, options);
      for (const [at, mutant] of chunk.entries()) found.set(mutant.key, verdicts[at] ?? toTimeoutVerdict('was not judged'));
    }
  };
  await Promise.all(Array.from({ length: options.threads }, work));
  return found;
};
