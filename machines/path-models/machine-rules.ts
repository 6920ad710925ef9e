import type { AnyMachineSnapshot } from 'xstate';
import type { Rule } from '../paths/rules.ts';
import type { Allowances } from './general-rules.ts';

/**
 * The rules of one machine besides those of all machines; a folder's `rules.ts` exports them by the
 * machine's name, as `rules`.
 */
export type MachineRules = Allowances & {
  rules: readonly Rule[];
  /** What the rules read of a snapshot: without it, one that takes the same events the same way may stand for another one. */
  reads?: (snapshot: AnyMachineSnapshot) => unknown;
};
