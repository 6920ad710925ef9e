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
  /**
   * Whether the shop itself has failed, or does not know the result: then `FailureFoot` is shown.
   */
  failure?: boolean;
};

/** The content below every message about a failure, provided by the shop. */
export const FailureFoot = createContext<ReactNode>(null);

/** A message that is the only content of a screen, or of a part of it. */
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

/** The message about an unknown result, which may still be a success. */
export const UnknownOutcome = (props: StateProps): ReactElement => <Message role="status" failure {...props} />;

/** The message about an empty result, which is not an error. */
export const Empty = (props: StateProps): ReactElement => <Message role="status" {...props} />;

/** The message about a failure; `actions` should let the customer retry. */
export const Failed = (props: StateProps): ReactElement => <Message role="alert" failure {...props} />;
