import type { PurchaseKinds } from '../payment/purchase-kind.ts';
import { gift } from './gift.ts';
import { subscription } from './subscription.ts';
import { titles } from './titles.ts';

/** The kinds of purchases that the shop has. */
export const purchaseKinds: PurchaseKinds = { title: titles, cart: titles, gift, subscription };
