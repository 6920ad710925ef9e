import type { ComponentType } from 'react';
import type { AnyActorRef } from 'xstate';
import type { FlowName } from '../../../machines/flows/registry.ts';
import type { PageName } from '../../views/page-name.ts';

export type FlowScreens = ComponentType<{ actor: AnyActorRef }>;

type Kept = { screens: FlowScreens; pageName: PageName<never> };

const fetched = new Map<FlowName, Kept>();

/** Keeps a flow's screens that have arrived, and what they are called. */
export const keepScreens = (flow: FlowName, screens: FlowScreens, pageName: PageName<never> = () => null): void => {
  // oxlint-disable-next-line pure-machines/state-of-module -- a part of the program, the same in every world
  fetched.set(flow, { screens, pageName });
};

/** @throws Error for a flow that the app has not fetched. */
export const keptOf = (flow: FlowName): Kept => {
  const kept = fetched.get(flow);
  if (kept === undefined) throw new Error(`The screens of ${flow} have not been fetched.`);
  return kept;
};
