import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { AnyActorRef } from 'xstate';
import { chakra } from '../../ui/chakra.ts';
import { FlowScreen, type FlowScreenProps } from '../../views/FlowScreen.tsx';
import { ScrollTarget } from './ScrollTarget.tsx';

type SectionProps<Actor extends AnyActorRef, Props> = FlowScreenProps<Actor, Props> & {
  heading: ReactNode;
  /** The value of the URL's parameter `part` that scrolls to this panel. */
  part?: ComponentProps<typeof ScrollTarget>['part'];
  /** Shown above the screen of every state. */
  above?: ReactNode;
};

/**
 * A panel of the account, under its heading. A state without a screen renders nothing: the store or
 * the server does not have this panel.
 */
export const Section = <Actor extends AnyActorRef, Props extends object>({
  heading,
  part,
  above,
  ...screenProps
}: SectionProps<Actor, Props>): ReactElement => (
  <FlowScreen {...screenProps}>
    {(screen, state) => (
      <>
        <chakra.h2 fontSize="xl" mb={3} tabIndex={-1}>
          {heading}
        </chakra.h2>
        {part === undefined || (state as string) === 'loading' ? null : <ScrollTarget part={part} />}
        {above}
        {screen}
      </>
    )}
  </FlowScreen>
);
