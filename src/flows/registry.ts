import { account } from './account/flow.ts';
import { campaign } from './campaign/flow.ts';
import { cart } from './cart/flow.ts';
import { cartCheckout } from './cart-checkout/flow.ts';
import { catalogue } from './catalogue/flow.ts';
import { checkout } from './checkout/flow.ts';
import { forgotPassword } from './forgot-password/flow.ts';
import { gift } from './gift/flow.ts';
import { information } from './information/flow.ts';
import { landing } from './landing/flow.ts';
import { library } from './library/flow.ts';
import { notFound } from './not-found/flow.ts';
import { page } from './page/flow.ts';
import { providerReturn } from './provider-return/flow.ts';
import { questions } from './questions/flow.ts';
import { receipt } from './receipt/flow.ts';
import { redeem } from './redeem/flow.ts';
import { resetPassword } from './reset-password/flow.ts';
import { signIn } from './sign-in/flow.ts';
import { signUp } from './sign-up/flow.ts';
import { subscribing } from './subscribing/flow.ts';
import { subscription } from './subscription/flow.ts';
import { title } from './title/flow.ts';
import { viewer } from './viewer/flow.ts';
import { wishList } from './wish-list/flow.ts';

/**
 * Every flow of the shop, declared once: what runs at which address, who may see it and who may find it. Machines, pages,
 * server and tests derive from it. The first route that matches an address is its own.
 */
export const flows = [
  landing,
  catalogue,
  title,
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  providerReturn,
  questions,
  checkout,
  gift,
  cart,
  cartCheckout,
  receipt,
  library,
  wishList,
  viewer,
  account,
  subscription,
  subscribing,
  redeem,
  campaign,
  page,
  information,
  notFound,
] as const;

export type FlowName = (typeof flows)[number]['name'];

/** The folder of a flow in `src/flows/` and `machines/path-models/flows/`: its kebab-case name. */
export const folderOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
