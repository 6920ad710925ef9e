type TopState<Value> = Value extends string ? Value : Value extends object ? keyof Value & string : never;

/** The names of a machine's top-level states, from the type of its snapshot's value. */
export type StateName<Value> = TopState<Value>;

/** The top-level state of a snapshot. */
export const getStateName = <Value extends string | object>(value: Value): StateName<Value> =>
  (typeof value === 'string' ? value : Object.keys(value)[0]) as StateName<Value>;

/**
 * The attributes with a machine's name and state on its part of the page, by which tests and the
 * handling of the focus find that part.
 */
export const getStateAttributes = (flow: string, value: string | object) =>
  ({ 'data-flow': flow, 'data-state': JSON.stringify(value) }) as const;
