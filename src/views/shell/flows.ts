import { lazy, type ComponentType } from 'react';
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

const screensOf = (part: () => Promise<FlowView>) => lazy(async () => ({ default: await part() }));

export const flowViews: Record<FlowName, FlowView> = {
  landing: screensOf(parts.landing),
  catalogue: screensOf(parts.catalogue),
  title: screensOf(parts.title),
  signIn: screensOf(parts.signIn),
  signUp: screensOf(parts.signUp),
  checkout: screensOf(parts.checkout),
  receipt: screensOf(parts.receipt),
  library: screensOf(parts.library),
  viewer: screensOf(parts.viewer),
  information: screensOf(parts.information),
  notFound: screensOf(parts.notFound),
};

/** Starts to fetch a flow's screens before they are shown; a failure is met again, and told, when they are. */
export const preload = (flow: FlowName): void => {
  parts[flow]().catch(() => {});
};
