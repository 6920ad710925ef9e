import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import type { ActorRefFrom, AnyActorRef, AnyMachineSnapshot, AnyStateMachine, SnapshotFrom, StateValueFrom } from 'xstate';
import { stateName, type StateName } from './state-name.ts';

type Screen<Props> = ComponentType<Props> | ((props: Props) => ReactNode);

/** A screen for each of a machine's outermost states. */
export type Screens<Machine extends AnyStateMachine, Props = { actor: ActorRefFrom<Machine> }> = Record<
  StateName<StateValueFrom<Machine>>,
  Screen<Props>
>;

type ValueOf<Actor extends AnyActorRef> =
  SnapshotFrom<Actor> extends { value: infer Value extends string | object } ? Value : string;

type FlowScreenProps<Actor extends AnyActorRef> = {
  /** The name under which tests and the testers' bar find the machine's part of the page. */
  flow: string;
  actor: Actor;
  screens: Record<StateName<ValueOf<Actor>>, Screen<{ actor: Actor }>>;
  /** Puts the screen into what all states share. */
  children?: (screen: ReactElement) => ReactNode;
};

const valueOf = ({ value }: AnyMachineSnapshot) => value as string | object;

/** Draws the screen of the state that a machine is in. */
export const FlowScreen = <Actor extends AnyActorRef>({
  flow,
  actor,
  screens,
  children,
}: FlowScreenProps<Actor>): ReactElement => {
  const value = useSelector(actor, valueOf);
  const Screen: ComponentType<{ actor: Actor }> = screens[stateName(value) as keyof typeof screens];
  const screen = <Screen actor={actor} />;
  return (
    <div data-flow={flow} data-state={JSON.stringify(value)}>
      {children === undefined ? screen : children(screen)}
    </div>
  );
};
