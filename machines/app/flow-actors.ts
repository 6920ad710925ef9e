import type { AnyStateMachine } from 'xstate';
import { flows, type FlowName } from '../flows/registry.ts';
import type { Route } from '../flows/route.ts';
import { latePort } from '../ports.ts';

/** The machine of each flow, fetched when the customer first goes there. */
export const flowActors = Object.fromEntries(flows.map(({ name }) => [name, latePort()])) as Record<FlowName, AnyStateMachine>;

/** The flow that serves a route; `/invalid`, which the app shows itself, is not found by any. */
export const flowOf = ({ flow }: Route): FlowName => (flow === 'invalid' ? 'notFound' : flow);
