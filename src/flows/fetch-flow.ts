import type { AnyStateMachine } from 'xstate';
import type { FlowName } from '../../machines/model/route.ts';
import { speakOthers } from '../ports/language.ts';
import { arrive } from '../ports/late-flows.ts';
import type { PageName } from '../views/page-name.ts';
import { keepScreens, type FlowScreens } from '../views/shell/flow-screens.ts';

type Part = { flow: AnyStateMachine; Screens: FlowScreens; pageName?: PageName<never> };

/** Each flow's machine, calls and screens are one part of the program. */
const parts: Record<FlowName, () => Promise<Part>> = {
  landing: () => import('./landing.ts'),
  catalogue: () => import('./catalogue.ts'),
  title: () => import('./title.ts'),
  signIn: () => import('./sign-in.ts'),
  signUp: () => import('./sign-up.ts'),
  checkout: () => import('./checkout.ts'),
  receipt: () => import('./receipt.ts'),
  library: () => import('./library.ts'),
  viewer: () => import('./viewer.ts'),
  page: () => import('./page.ts'),
  signpost: () => import('./signpost.ts'),
  subscription: () => import('./subscription.ts'),
  account: () => import('./account.ts'),
  information: () => import('./information.ts'),
  notFound: () => import('./not-found.ts'),
};

/** Fetches a flow's part and its words; the app's machine starts the flow only when it is there. */
export const fetchFlow = async (name: FlowName): Promise<void> => {
  const [{ flow, Screens, pageName }] = await Promise.all([parts[name](), name === 'landing' ? null : speakOthers()]);
  arrive(name, flow);
  keepScreens(name, Screens, pageName);
};
