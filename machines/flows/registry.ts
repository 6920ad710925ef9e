import { account } from './account.ts';
import { campaign } from './campaign.ts';
import { cart } from './cart.ts';
import { catalogue } from './catalogue.ts';
import { forgotPassword } from './forgot-password.ts';
import { information } from './information.ts';
import { landing } from './landing.ts';
import { library } from './library.ts';
import { notFound } from './not-found.ts';
import { page } from './page.ts';
import { providerReturn } from './provider-return.ts';
import { purchase } from './purchase.ts';
import { questions } from './questions.ts';
import { receipt } from './receipt.ts';
import { redeem } from './redeem.ts';
import { resetPassword } from './reset-password.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { subscription } from './subscription.ts';
import { title } from './title.ts';
import { viewer } from './viewer.ts';
import { wishList } from './wish-list.ts';

/**
 * Every flow of the shop with its machine, its routes, access and indexing, declared once.
 * Machines, pages, server and tests derive from this list. The first route that matches a URL wins.
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
  purchase,
  cart,
  receipt,
  library,
  wishList,
  viewer,
  account,
  subscription,
  redeem,
  campaign,
  page,
  information,
  notFound,
] as const;

export type FlowName = (typeof flows)[number]['name'];

/**
 * The folder of a flow in `src/flows/` and `machines/path-models/flows/`: its name in kebab-case.
 */
export const toFolderName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
