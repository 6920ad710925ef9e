import type { AnyMachineSnapshot } from 'xstate';
import type { Rule } from '../paths/rules.ts';
import type { GeneralRuleOptions } from './general-rules.ts';

/**
 * The rules of one machine, in addition to the general ones. The `rules.ts` of a folder exports
 * them as `rules`, by the machine's name.
 */
export type MachineRules = GeneralRuleOptions & {
  rules: readonly Rule[];
  /**
   * Returns the values of a snapshot that the rules read. Snapshots with different values are of
   * different kinds, even if they accept the same events in the same way.
   */
  getReadValues?: (snapshot: AnyMachineSnapshot) => unknown;
};
