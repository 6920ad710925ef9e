import * as v from 'valibot';
import { PendingPurchase } from '../../../machines/model/buying/purchase.ts';
import { customersKey } from '../../storage/session-storage.ts';
import { store, stored } from '../../storage/storage.ts';

/** Purchases on their way, each customer's own, so that a reload or a lost answer is taken up and not repeated. */
const name = () => `colophon.pending.${customersKey()}` as const;

const all = (): PendingPurchase[] => stored(name(), v.array(PendingPurchase), []);

export const pendingPurchase = (titleId: string): PendingPurchase | null =>
  all().find((pending) => pending.titleId === titleId) ?? null;

/** Written before a payment is asked for, so that its key outlives a lost answer. */
export const rememberPurchase = (pending: PendingPurchase): void =>
  store(name(), [...all().filter(({ titleId }) => titleId !== pending.titleId), pending]);

export const forgetPurchase = (gone: string): void =>
  store(
    name(),
    all().filter(({ titleId }) => titleId !== gone),
  );
