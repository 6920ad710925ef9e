import type { Selectable } from 'kysely';
import type { PlansTable } from '../database/schema/payments.ts';

/**
 * A plan with the number of offered titles in its list (`titles_named`), and the first of these
 * titles (`titles_opened`).
 */
export type OfferedPlan = Selectable<PlansTable> & {
  titles_named: number | null;
  titles_opened?: { id: string; name: string }[] | null;
};
