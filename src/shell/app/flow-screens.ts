import type { ComponentType } from 'react';
import type { AnyActorRef } from 'xstate';
import type { FlowName } from '../../../machines/flows/registry.ts';
import type { PageName } from '../../views/page-name.ts';

export type FlowScreens = ComponentType<{ actor: AnyActorRef }>;

type LoadedScreens = { screens: FlowScreens; pageName: PageName<never> };

const loadedScreens = new Map<FlowName, LoadedScreens>();

/** Stores a flow's loaded screens, and the function for its page's name. */
export const registerScreens = (flow: FlowName, screens: FlowScreens, pageName: PageName<never> = () => null): void => {
  // oxlint-disable-next-line pure-machines/state-of-module -- code, the same in every environment
  loadedScreens.set(flow, { screens, pageName });
};

/** @throws Error for a flow that the app has not loaded. */
export const getScreens = (flow: FlowName): LoadedScreens => {
  const flowScreens = loadedScreens.get(flow);
  if (flowScreens === undefined) throw new Error(`The screen of ${flow} has not been loaded.`);
  return flowScreens;
};
