import type { PurchaseKinds } from '../payment/purchase-kind.ts';
import { gift } from './kinds/gift.ts';
import { subscription } from './kinds/subscription.ts';
import { cart, title } from './kinds/titles.ts';

/** The kinds of purchases that the shop has. */
export const purchaseKinds: PurchaseKinds = { title, cart, gift, subscription };
