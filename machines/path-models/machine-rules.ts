import type { AnyMachineSnapshot } from 'xstate';
import type { Rule } from '../paths/rules.ts';
import type { Allowances } from './general-rules.ts';

/**
 * The rules of one machine besides those of all machines; a folder's `rules.ts` exports them by the
 * machine's name, as `rules`.
 */
export type MachineRules = Allowances & {
  rules: readonly Rule[];
  /**
   * The parts of a snapshot that the rules read: snapshots that differ in them do not stand for one
   * another, although they take the same events in the same way.
   */
  reads?: (snapshot: AnyMachineSnapshot) => unknown;
};
