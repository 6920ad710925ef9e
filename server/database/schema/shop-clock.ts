import type { Generated } from 'kysely';

/** One row: how far the shop's time is ahead of the database's own. Milliseconds. */
export type ShopClockTable = {
  is_only_row: Generated<true>;
  ahead_ms: Generated<number>;
  /** target offset: shops move their time there in steps */
  wanted_ms: Generated<number>;
  /** false once a shop with a payment provider whose clock cannot be moved has used it */
  is_movable: Generated<boolean>;
};
