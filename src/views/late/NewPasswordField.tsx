import type { ComponentProps, ReactElement } from 'react';
import type { FieldProblems } from '../../../machines/model/account/session.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { fieldProblemText } from './field-problem-text.tsx';

type Props = Omit<ComponentProps<typeof PasswordField>, 'problem' | 'autoComplete'> & { name: string; fields: FieldProblems };

/** A password that the customer chooses, or types once more. */
export const NewPasswordField = ({ name, fields, ...field }: Props): ReactElement => (
  <PasswordField name={name} autoComplete="new-password" problem={fieldProblemText(fields[name])} {...field} />
);
