import { parentPort, workerData } from 'node:worker_threads';
import { startCounting } from './mutant-coverage.ts';
import { createJudge, type Judge, type Verdict } from './judge.ts';
import { createLoader } from './load-mutants.ts';
import type { Mutant } from './mutant.ts';

export type WorkerInput = { root: string; replays: boolean; rules: boolean };
/** `fault` is a test that fails without a mutation. */
export type WorkerResponse = Verdict | { fault: string };

const { root, replays, rules } = workerData as WorkerInput;
const coverageSession = replays ? await startCounting() : null;
const loader = createLoader(root);
const judges = new Map<string, Promise<Judge>>();

const getJudge = (file: string): Promise<Judge> => {
  const judge = judges.get(file) ?? createJudge({ root, file, rules }, loader, coverageSession);
  judges.set(file, judge);
  return judge;
};

const judgeMutant = async (mutant: Mutant): Promise<WorkerResponse> => {
  try {
    const judge = await getJudge(mutant.file);
    return await judge(mutant);
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
};

parentPort?.on('message', (mutant: Mutant) => {
  void judgeMutant(mutant).then((response) => parentPort?.postMessage(response));
});
