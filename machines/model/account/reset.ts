import * as v from 'valibot';
import { isTheSame, twice, type NewPasswordForm } from './password.ts';

/** A way into an account beside its password, or a device that is known to it. */
export type ResetWay = {
  kind: 'passkey' | 'provider' | 'phone' | 'device';
  id: string;
  name: string;
  /** When it signed in last; empty where that is not known. */
  usedAt: string;
  /** It is removed even if not ticked: the address had not been confirmed before. */
  goesAnyway: boolean;
};

/** A new password by a link, and the ways into the account that are removed with it. */
export type ResetForm = NewPasswordForm & { removed: Pick<ResetWay, 'kind' | 'id'>[] };

/** The name of a way's tick in the form. */
export const wayInput = ({ kind, id }: Pick<ResetWay, 'kind' | 'id'>): string => `way-${kind}-${id}`;

/**
 * How many ways go: those that are ticked, and those that go in any case, whether or not the form
 * has them.
 */
export const countRemoved = (ways: readonly ResetWay[], removed: ResetForm['removed']): number =>
  new Set([...removed, ...ways.filter(({ goesAnyway }) => goesAnyway)].map(wayInput)).size;

/** The form with a tick for each of these ways. */
export const resetForm = (ways: readonly ResetWay[]) => {
  const ticks = Object.fromEntries(ways.map((way) => [wayInput(way), v.optional(v.boolean(), false)]));
  return v.pipe(
    v.object({ ...twice.entries, ...ticks }),
    v.forward(v.partialCheck([['password'], ['again']], isTheSame, 'mismatch'), ['again']),
    v.transform((values): ResetForm => {
      const typed: Readonly<Record<string, unknown>> = values;
      const removed = ways.filter((way) => typed[wayInput(way)] === true).map(({ kind, id }) => ({ kind, id }));
      return { password: values.password, again: values.again, removed };
    }),
  );
};
