import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Verdict } from './judge.ts';
import type { Mutant } from './mutant.ts';
import type { WorkerAnswer, WorkerInput } from './worker.ts';

/** Modules that were loaded stay in memory until their thread ends. */
const mutantsOfThread = 150;
/** A machine that is explored takes less; one that grows without end is ended here. */
const megabytesOfThread = 1024;

export type JudgeOptions = {
  root: string;
  threads: number;
  replays: boolean;
  /** The rules and the tests of all models judge alone. */
  rules: boolean;
  /** Milliseconds after which a changed machine that does not end is ended, and counts as noticed. */
  timeOut: number;
  note?: (done: number) => void;
};

const workerOf = (input: WorkerInput): Worker => {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: megabytesOfThread },
  });
  // It may come to its end while nobody waits for an answer, as when it is ended for being late.
  worker.on('error', () => {});
  return worker;
};

const ended = (why: string): Verdict => ({ byPaths: why, byReplay: null });

/** Why a thread gave no answer: it had to be ended, or has ended itself. */
type Ended = { why: string; isLate: boolean };

const answerOf = async (worker: Worker, mutant: Mutant, timeOut: number): Promise<WorkerAnswer | Ended> => {
  // It has come to its end since the last answer.
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
  const start = () => workerOf({ root, replays, rules });
  let worker = start();
  for (const mutant of mutants) {
    let answer = await answerOf(worker, mutant, timeOut);
    if ('why' in answer && !answer.isLate) {
      // The thread may have died of what it had kept of others.
      worker = start();
      answer = await answerOf(worker, mutant, timeOut);
    }
    if ('why' in answer) worker = start();
    if ('fault' in answer) throw new Error(answer.fault);
    verdicts.push('why' in answer ? ended(answer.why) : answer);
    note?.(1);
  }
  await worker.terminate();
  return verdicts;
};

const chunksOf = (mutants: readonly Mutant[], threads: number): Mutant[][] => {
  const size = Math.min(mutantsOfThread, Math.ceil(mutants.length / threads));
  return Array.from({ length: Math.ceil(mutants.length / size) }, (_, at) => mutants.slice(at * size, (at + 1) * size));
};

/**
 * What the tests of paths and the recorded visits say of each mutant, by its key.
 * @throws Error when these tests fail before anything is changed.
 */
export const judgeAll = async (mutants: readonly Mutant[], options: JudgeOptions): Promise<Map<string, Verdict>> => {
  const waiting = chunksOf(mutants, options.threads);
  const found = new Map<string, Verdict>();
  const work = async (): Promise<void> => {
    for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) {
      const verdicts = await judgeChunk(chunk, options);
      for (const [at, mutant] of chunk.entries()) found.set(mutant.key, verdicts[at] ?? ended('was not judged'));
    }
  };
  await Promise.all(Array.from({ length: options.threads }, work));
  return found;
};
