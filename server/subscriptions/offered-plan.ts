import type { Selectable } from 'kysely';
import type { PlansTable } from '../database/schema/payments.ts';

/** A plan with the number of its titles, and the first of them. */
export type OfferedPlan = Selectable<PlansTable> & {
  titles_named: number | null;
  titles_opened?: { id: string; name: string }[] | null;
};
