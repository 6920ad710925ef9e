import type { ShopLocation } from '../../tools/shop/running-shop.ts';
import type { UnfinishedWork } from './leftovers.ts';

/** `process`: SIGKILL; `connections`: ends all its connections to the database. */
export type KillTarget = 'process' | 'connections';

/** The shop that errands run in: one process, or several behind a proxy. */
export type TestedShop = ShopLocation & {
  /** Targets the process that receives the next call of this path. */
  targetCall(path: string): {
    /** Resolves when the process, or each of its connections, has ended. */
    kill(target: KillTarget): Promise<void>;
  };
  /** Resolves when customers can reach at least one process. */
  whenReachable(): Promise<void>;
  /** Resolves when every process is back, with its database. */
  whenRestored(): Promise<void>;
  /** Runs the last sweeps. @returns the work that they have left unfinished */
  sweepToEnd(): Promise<UnfinishedWork[]>;
  remove(): Promise<void>;
};
