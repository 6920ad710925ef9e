import type { FlowModules } from '../shell/app/fetch-flow.ts';

/**
 * The chunks of the flows whose first screen may be server-rendered, by their definitions
 * (`serverRendered`); the bundler requires a literal list.
 */
export const renderedChunks: FlowModules = import.meta.glob([
  '/src/flows/{landing,catalogue,title,information,page,campaign,subscription,not-found}/index.{ts,tsx}',
]) as FlowModules;
