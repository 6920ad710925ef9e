import { useId, type ReactElement, type ReactNode } from 'react';
import { chakra } from './chakra.ts';

/** Texts of a control; `problem` is null or missing when its value is valid. */
export type FieldProps = { label: ReactNode; hint?: ReactNode; problem?: ReactNode };

type ControlAttributes = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined };

/** The look of controls for typing or choosing. */
export const controlStyle = {
  display: 'block',
  width: '100%',
  minHeight: 12,
  px: 4,
  bg: 'surface',
  color: 'ink',
  fontSize: 'md',
  border: '1px solid',
  borderColor: 'lineStrong',
  borderRadius: 'md',
  _placeholder: { color: 'inkMuted', opacity: 1 },
  // The full opacity overrides browsers, which fade a disabled select.
  _disabled: { bg: 'sunken', color: 'inkMuted', opacity: 1 },
  '&[aria-invalid=true]': { borderColor: 'danger', boxShadow: 'inset 0 0 0 1px var(--c-colors-danger)' },
} as const;

/** A control with its label; its hint and problem are its accessible description. */
export const Field = (props: FieldProps & { children: (attributes: ControlAttributes) => ReactNode }): ReactElement => {
  const { label, hint = null, problem = null, children } = props;
  const id = useId();
  const descriptionIds = [hint === null ? null : `${id}-hint`, problem === null ? null : `${id}-problem`]
    .filter(Boolean)
    .join(' ');
  return (
    <chakra.div display="grid" gap={1}>
      <chakra.label htmlFor={id} fontSize="sm" fontWeight={600}>
        {label}
      </chakra.label>
      {children({
        id,
        'aria-invalid': problem === null ? undefined : true,
        'aria-describedby': descriptionIds === '' ? undefined : descriptionIds,
      })}
      {hint === null ? null : (
        <chakra.p id={`${id}-hint`} fontSize="sm" color="inkMuted">
          {hint}
        </chakra.p>
      )}
      {problem === null ? null : (
        <chakra.p id={`${id}-problem`} fontSize="sm" color="danger" fontWeight={600}>
          {problem}
        </chakra.p>
      )}
    </chakra.div>
  );
};
