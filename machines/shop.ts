import { accountMachine } from './account.ts';
import { appMachine } from './app.ts';
import { catalogueMachine } from './catalogue.ts';
import { checkoutMachine } from './checkout.ts';
import { frameMachine } from './frame.ts';
import { landingMachine } from './landing.ts';
import { libraryMachine } from './library.ts';
import { pageMachine } from './page.ts';
import { receiptMachine } from './receipt.ts';
import { signInMachine } from './sign-in.ts';
import { signUpMachine } from './sign-up.ts';
import { informationMachine, notFoundMachine, signpostMachine } from './still.ts';
import { subscriptionMachine } from './subscription.ts';
import { titleMachine } from './title.ts';
import { viewerMachine } from './viewer.ts';

/** The app with every flow in place: what path tests explore and replays run. */
export const shopMachine = appMachine.provide({
  actors: {
    frame: frameMachine,
    landing: landingMachine,
    catalogue: catalogueMachine,
    title: titleMachine,
    signIn: signInMachine,
    signUp: signUpMachine,
    checkout: checkoutMachine,
    receipt: receiptMachine,
    library: libraryMachine,
    viewer: viewerMachine,
    information: informationMachine,
    page: pageMachine,
    signpost: signpostMachine,
    subscription: subscriptionMachine,
    account: accountMachine,
    notFound: notFoundMachine,
  },
});
