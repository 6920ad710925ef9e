import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import type { ActorRefFrom, AnyActorRef, AnyMachineSnapshot, AnyStateMachine, SnapshotFrom, StateValueFrom } from 'xstate';
import { getStateAttributes, getStateName, type StateName } from './state-name.ts';

/** A state's screen; null renders nothing. */
type Screen<Props> = ((props: Props) => ReactNode) | null;

/** A screen for each of a machine's top-level states; `Props` are passed to it beside the actor. */
export type Screens<Machine extends AnyStateMachine, Props = object> = Record<
  StateName<StateValueFrom<Machine>>,
  Screen<{ actor: ActorRefFrom<Machine> } & Props>
>;

type ValueOf<Actor extends AnyActorRef> =
  SnapshotFrom<Actor> extends { value: infer Value extends string | object } ? Value : string;

export type FlowScreenProps<Actor extends AnyActorRef, Props = object> = {
  /** The value of `data-flow`, which marks the machine's part of the page. */
  flow: string;
  actor: Actor;
  screens: Record<StateName<ValueOf<Actor>>, Screen<{ actor: Actor } & NoInfer<Props>>>;
  /** Passed to every screen. */
  props?: Props;
  /** Wraps the screen in the content that all states share. */
  children?: (screen: ReactElement, state: StateName<ValueOf<Actor>>) => ReactNode;
};

const getValue = ({ value }: AnyMachineSnapshot) => value as string | object;

const renderAlone = (screen: ReactElement): ReactElement => screen;

/** Renders the screen of a machine's current state. */
export const FlowScreen = <Actor extends AnyActorRef, Props extends object>({
  flow,
  actor,
  screens,
  props,
  children = renderAlone,
}: FlowScreenProps<Actor, Props>): ReactElement => {
  const value = useSelector(actor, getValue);
  const state = getStateName(value) as StateName<ValueOf<Actor>>;
  const Screen = screens[state] as ComponentType<object> | null;
  return (
    <div hidden={!Screen} {...getStateAttributes(flow, value)}>
      {Screen && children(<Screen {...{ actor, ...props }} />, state)}
    </div>
  );
};
