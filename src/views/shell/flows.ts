import type { ComponentType } from 'react';
import type { AnyActorRef } from 'xstate';
import type { FlowName } from '../../../machines/model/route.ts';

type FlowView = ComponentType<{ actor: AnyActorRef }>;

/** Each flow's screens are a part of the program of their own. */
const parts = {
  landing: async () => (await import('../landing/LandingView.tsx')).LandingView,
  catalogue: async () => (await import('../catalogue/CatalogueView.tsx')).CatalogueView,
  title: async () => (await import('../title/TitleView.tsx')).TitleView,
  signIn: async () => (await import('../sign-in/SignInView.tsx')).SignInView,
  signUp: async () => (await import('../sign-up/SignUpView.tsx')).SignUpView,
  checkout: async () => (await import('../checkout/CheckoutView.tsx')).CheckoutView,
  receipt: async () => (await import('../receipt/ReceiptView.tsx')).ReceiptView,
  library: async () => (await import('../library/LibraryView.tsx')).LibraryView,
  viewer: async () => (await import('../viewer/ViewerView.tsx')).ViewerView,
  information: async () => (await import('../information/InformationView.tsx')).InformationView,
  notFound: async () => (await import('../not-found/NotFoundView.tsx')).NotFoundView,
} satisfies Record<FlowName, () => Promise<FlowView>>;

const fetched = new Map<FlowName, FlowView>();

/** Fetches a flow's screens; the app's machine shows a flow only when they are there. */
export const fetchScreens = async (flow: FlowName): Promise<void> => {
  fetched.set(flow, await parts[flow]());
};

/** @throws Error for a flow whose screens have not been fetched. */
export const screensOf = (flow: FlowName): FlowView => {
  const view = fetched.get(flow);
  if (view === undefined) throw new Error(`The screens of ${flow} have not been fetched.`);
  return view;
};
