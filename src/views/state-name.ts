type Top<Value> = Value extends string ? Value : Value extends object ? keyof Value & string : never;

/** The names of a machine's outermost states, out of the type of its snapshot's value. */
export type StateName<Value> = Top<Value>;

/** The outermost state that a snapshot is in. */
export const stateName = <Value extends string | object>(value: Value): StateName<Value> =>
  (typeof value === 'string' ? value : Object.keys(value)[0]) as StateName<Value>;

/** The name and state of a machine, for tests and the testers' bar, on its part of the page. */
export const stateAttributes = (flow: string, value: string | object) =>
  ({ 'data-flow': flow, 'data-state': JSON.stringify(value) }) as const;
