import { createContext, use, type ReactElement, type ReactNode } from 'react';
import { chakra } from './chakra.ts';

type MessageProps = {
  heading: ReactNode;
  /** 1 when the message is all that the page says. */
  level?: 1 | 2;
  /** Decoration above the heading. */
  picture?: ReactNode;
  children?: ReactNode;
  /** Buttons and links that lead on. */
  actions?: ReactNode;
  role?: 'alert' | 'status';
  /** The shop admits to have failed, or not to know. */
  failure?: boolean;
};

/** What stands below every such message; the shop says what that is. */
export const FailureFoot = createContext<ReactNode>(null);

/** A whole screen, or the middle of one, that has only something to say. */
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

/** The shop does not know: nothing has failed yet. */
export const Unsure = (props: StateProps): ReactElement => <Message role="status" failure {...props} />;

/** There is nothing here, and that is no fault. */
export const Empty = (props: StateProps): ReactElement => <Message role="status" {...props} />;

/** Something went wrong; `actions` should let the customer try again. */
export const Failed = (props: StateProps): ReactElement => <Message role="alert" failure {...props} />;
