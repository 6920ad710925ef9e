import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import type { ActorRefFrom, AnyActorRef, AnyMachineSnapshot, AnyStateMachine, SnapshotFrom, StateValueFrom } from 'xstate';
import { stateAttributes, stateName, type StateName } from './state-name.ts';

/** null where nothing is seen. */
type Screen<Props> = ((props: Props) => ReactNode) | null;

/** A screen for each of a machine's outermost states; `Props` are passed to it beside the actor. */
export type Screens<Machine extends AnyStateMachine, Props = object> = Record<
  StateName<StateValueFrom<Machine>>,
  Screen<{ actor: ActorRefFrom<Machine> } & Props>
>;

type ValueOf<Actor extends AnyActorRef> =
  SnapshotFrom<Actor> extends { value: infer Value extends string | object } ? Value : string;

export type FlowScreenProps<Actor extends AnyActorRef, Props = object> = {
  /** The name under which tests and the testers' bar find the machine's part of the page. */
  flow: string;
  actor: Actor;
  screens: Record<StateName<ValueOf<Actor>>, Screen<{ actor: Actor } & NoInfer<Props>>>;
  /** Passed to every screen. */
  props?: Props;
  /** Puts the screen into what all states share. */
  children?: (screen: ReactElement, state: StateName<ValueOf<Actor>>) => ReactNode;
};

const valueOf = ({ value }: AnyMachineSnapshot) => value as string | object;

const alone = (screen: ReactElement): ReactElement => screen;

/** Draws the screen of the state that a machine is in. */
export const FlowScreen = <Actor extends AnyActorRef, Props extends object>({
  flow,
  actor,
  screens,
  props,
  children = alone,
}: FlowScreenProps<Actor, Props>): ReactElement => {
  const value = useSelector(actor, valueOf);
  const state = stateName(value) as StateName<ValueOf<Actor>>;
  const Screen = screens[state] as ComponentType<object> | null;
  return (
    <div hidden={!Screen} {...stateAttributes(flow, value)}>
      {Screen && children(<Screen {...{ actor, ...props }} />, state)}
    </div>
  );
};
