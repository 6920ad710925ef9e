import type { PurchaseKinds } from '../payment/purchase-kind.ts';
import { gift } from './gift.ts';
import { subscription } from './subscription.ts';
import { cart, title } from './titles.ts';

/** The kinds of purchases that the shop has. */
export const purchaseKinds: PurchaseKinds = { title, cart, gift, subscription };
