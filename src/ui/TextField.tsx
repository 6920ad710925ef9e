import type { ComponentProps, ReactElement } from 'react';
import { chakra } from './chakra.ts';
import { controlStyle, Field, type FieldProps } from './Field.tsx';

const Input = chakra('input', { base: controlStyle });

type TextFieldProps = ComponentProps<typeof Input> & FieldProps & { name: string };

/** A labelled, uncontrolled field. */
export const TextField = ({ label, hint, problem, ...input }: TextFieldProps): ReactElement => (
  <Field label={label} hint={hint} problem={problem}>
    {(attributes) => <Input {...attributes} {...input} />}
  </Field>
);
