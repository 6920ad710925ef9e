import type { accountMachine } from './account.ts';
import type { catalogueMachine } from './catalogue.ts';
import type { checkoutMachine } from './checkout.ts';
import type { landingMachine } from './landing.ts';
import type { libraryMachine } from './library.ts';
import type { pageMachine } from './page.ts';
import type { receiptMachine } from './receipt.ts';
import type { signInMachine } from './sign-in.ts';
import type { signUpMachine } from './sign-up.ts';
import type { informationMachine, notFoundMachine, signpostMachine } from './still.ts';
import type { subscriptionMachine } from './subscription.ts';
import type { titleMachine } from './title.ts';
import type { viewerMachine } from './viewer.ts';
import type { FlowName, Route } from './model/route.ts';
import { latePort } from './ports.ts';

/** The flow of each route, fetched when the customer first goes there: the app knows their types alone. */
export const flows = {
  landing: latePort<typeof landingMachine>(),
  catalogue: latePort<typeof catalogueMachine>(),
  title: latePort<typeof titleMachine>(),
  signIn: latePort<typeof signInMachine>(),
  signUp: latePort<typeof signUpMachine>(),
  checkout: latePort<typeof checkoutMachine>(),
  receipt: latePort<typeof receiptMachine>(),
  library: latePort<typeof libraryMachine>(),
  viewer: latePort<typeof viewerMachine>(),
  information: latePort<typeof informationMachine>(),
  page: latePort<typeof pageMachine>(),
  signpost: latePort<typeof signpostMachine>(),
  subscription: latePort<typeof subscriptionMachine>(),
  account: latePort<typeof accountMachine>(),
  notFound: latePort<typeof notFoundMachine>(),
};

/** The flow that serves a route; `/invalid`, which the app shows itself, is not found by any. */
export const flowOf = (route: Route | null): FlowName => (route === null || route.flow === 'invalid' ? 'notFound' : route.flow);
