type Top<Value> = Value extends string ? Value : Value extends object ? keyof Value & string : never;

/** The names of a machine's outermost states, out of the type of its snapshot's value. */
export type StateName<Value> = Top<Value>;

/** The outermost state that a snapshot is in. */
export const stateName = <Value extends string | object>(value: Value): StateName<Value> =>
  (typeof value === 'string' ? value : Object.keys(value)[0]) as StateName<Value>;
