import { useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import type { AnyActorRef } from 'xstate';
import type { TypedEmail } from '../../../machines/flows/flow-input.ts';
import type { FieldProblems } from '../../../machines/model/account/session.ts';
import { TextField } from '../../ui/TextField.tsx';
import { formatFieldProblem } from './field-problem-text.tsx';

type Props = {
  actor: AnyActorRef;
  context: { fields: FieldProblems; typed?: TypedEmail };
  autoComplete?: string;
};

type AddressProps = Omit<ComponentProps<typeof TextField>, 'name' | 'problem'> & { fields: FieldProblems };

/** A field for an e-mail address. */
export const AddressField = ({ fields, ...field }: AddressProps): ReactElement => (
  <TextField
    name="email"
    type="email"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
    problem={formatFieldProblem(fields['email'])}
    {...field}
  />
);

/**
 * The field for the e-mail address of an account. It is prefilled with the address typed into the
 * previous form, and reports its own for the next.
 */
export const EmailField = ({ actor, context: { fields, typed }, autoComplete = 'username' }: Props): ReactElement => {
  const { t } = useLingui();
  return (
    <AddressField
      autoComplete={autoComplete}
      label={t`Email address`}
      defaultValue={typed?.pii.email}
      onBlur={({ currentTarget }) => actor.send({ type: 'email.typed', pii: { email: currentTarget.value } })}
      fields={fields}
    />
  );
};
