import { createContext, use, type ReactElement, type ReactNode } from 'react';
import { chakra } from './chakra.ts';

type MessageProps = {
  heading: ReactNode;
  /** 1 when the message is the whole page. */
  level?: 1 | 2;
  /** Decoration above the heading. */
  picture?: ReactNode;
  children?: ReactNode;
  /** Buttons and links for the next steps. */
  actions?: ReactNode;
  role?: 'alert' | 'status';
  /** Whether the shop itself has failed, or does not know the result. */
  failure?: boolean;
};

/** Content below every such message, provided by the shop. */
export const FailureFoot = createContext<ReactNode>(null);

/** A whole screen, or the middle of one, that only contains a message. */
export const Message = ({
  heading,
  level = 2,
  picture,
  children,
  actions,
  role,
  failure = false,
}: MessageProps): ReactElement => (
  <chakra.section
    role={role}
    display="grid"
    justifyItems="center"
    gap={4}
    maxWidth="36rem"
    mx="auto"
    px={4}
    py={16}
    textAlign="center"
    overflowWrap="anywhere"
  >
    {picture}
    <chakra.h2 as={level === 1 ? 'h1' : 'h2'} fontSize={level === 1 ? '3xl' : '2xl'} overflowWrap="anywhere">
      {heading}
    </chakra.h2>
    {children === undefined ? null : (
      <chakra.div color="inkMuted" fontSize="lg">
        {children}
      </chakra.div>
    )}
    {actions === undefined ? null : (
      <chakra.div display="flex" flexWrap="wrap" justifyContent="center" gap={3} mt={2}>
        {actions}
      </chakra.div>
    )}
    {failure ? use(FailureFoot) : null}
  </chakra.section>
);

type StateProps = Omit<MessageProps, 'role' | 'failure'>;

/** An unknown result: no failure is certain yet. */
export const UnknownOutcome = (props: StateProps): ReactElement => <Message role="status" failure {...props} />;

/** An empty result that is not an error. */
export const Empty = (props: StateProps): ReactElement => <Message role="status" {...props} />;

/** A failure; `actions` should let the customer retry. */
export const Failed = (props: StateProps): ReactElement => <Message role="alert" failure {...props} />;
