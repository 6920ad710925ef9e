import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { chakra } from '../../ui/chakra.ts';
import { Sheet } from '../../ui/Page.tsx';
import { MachineForm, SendButton } from '../MachineForm.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { problemText } from '../problem-text.ts';

/** A page of the account under its heading. */
export const Titled = ({ heading, children }: { heading: ReactNode; children: ReactNode }): ReactElement => (
  <chakra.div display="grid" gap={6}>
    <chakra.h1 fontSize="3xl" textAlign="center">
      {heading}
    </chakra.h1>
    {children}
  </chakra.div>
);

type FormPageProps = Pick<ComponentProps<typeof MachineForm>, 'actor' | 'name' | 'form'> & {
  heading: ReactNode;
  /** Between the heading and the form. */
  above?: ReactNode;
  /** Why the form was refused when it was sent last, in the words of `reason`. */
  problem?: Problem | null;
  reason?: (problem: Problem) => ReactNode;
  /** The fields. */
  children: ReactNode;
  /** The words of the button, and those while the form is on its way. */
  send: ReactNode;
  sending: string;
  /** After the form. */
  below?: ReactNode;
};

/** A page that is a form: signing in, signing up, a new password. */
export const FormPage = ({
  heading,
  above,
  problem = null,
  reason = problemText,
  children,
  send,
  sending,
  below,
  ...form
}: FormPageProps): ReactElement => (
  <Titled heading={heading}>
    {above}
    {problem === null ? null : <ProblemNotice problem={problem}>{reason(problem)}</ProblemNotice>}
    <Sheet>
      <MachineForm {...form}>
        {children}
        <SendButton actor={form.actor} size="lg" wide event={`${form.name}.submitted`} waits={sending}>
          {send}
        </SendButton>
      </MachineForm>
    </Sheet>
    {below}
  </Titled>
);
