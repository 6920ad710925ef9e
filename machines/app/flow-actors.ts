import type { AnyStateMachine } from 'xstate';
import { flows, type FlowName } from '../flows/registry.ts';
import type { Route } from '../flows/route.ts';
import { lazyPort } from '../ports.ts';

/** The machine of each flow, fetched when the customer first opens it. */
export const flowActors = Object.fromEntries(flows.map(({ name }) => [name, lazyPort()])) as Record<FlowName, AnyStateMachine>;

/** The flow of a route. `/invalid`, which the app itself shows, maps to `notFound`. */
export const getFlowName = ({ flow }: Route): FlowName => (flow === 'invalid' ? 'notFound' : flow);
