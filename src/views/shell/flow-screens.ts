import type { ComponentType } from 'react';
import type { AnyActorRef } from 'xstate';
import type { FlowName } from '../../../machines/model/route.ts';

export type FlowScreens = ComponentType<{ actor: AnyActorRef }>;

const fetched = new Map<FlowName, FlowScreens>();

/** Keeps a flow's screens that have arrived. */
export const keepScreens = (flow: FlowName, screens: FlowScreens): void => {
  fetched.set(flow, screens);
};

/** @throws Error for a flow that the app has not fetched. */
export const screensOf = (flow: FlowName): FlowScreens => {
  const screens = fetched.get(flow);
  if (screens === undefined) throw new Error(`The screens of ${flow} have not been fetched.`);
  return screens;
};
