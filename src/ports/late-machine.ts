import type { AnyStateMachine } from 'xstate';

/** A stand-in for a machine that is fetched later: every look at it is a look at the machine, once that has arrived. */
export const lateMachine = () => {
  let arrived: AnyStateMachine | null = null;
  const look = (): AnyStateMachine => {
    if (arrived === null) throw new Error('The machine has not been fetched.');
    return arrived;
  };
  const machine = new Proxy({} as AnyStateMachine, {
    get: (_, key) => Reflect.get(look(), key) as unknown,
    has: (_, key) => Reflect.has(look(), key),
  });
  const arrive = (fetched: AnyStateMachine): void => {
    arrived ??= fetched;
  };
  return { machine, arrive };
};
