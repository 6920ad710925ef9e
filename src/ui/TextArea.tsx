import type { ComponentProps, ReactElement } from 'react';
import { chakra } from './chakra.ts';
import { controlStyle, Field, type FieldProps } from './Field.tsx';

const Area = chakra('textarea', {
  base: { ...controlStyle, py: 3, minHeight: '8rem', resize: 'vertical', fontFamily: 'inherit' },
});

type TextAreaProps = ComponentProps<typeof Area> & FieldProps & { name: string };

/** A labelled, uncontrolled field of several lines. */
export const TextArea = ({ label, hint, problem, ...area }: TextAreaProps): ReactElement => (
  <Field label={label} hint={hint} problem={problem}>
    {(attributes) => <Area {...attributes} {...area} />}
  </Field>
);
