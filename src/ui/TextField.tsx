import { useId, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { chakra } from './chakra.ts';

const Input = chakra('input', {
  base: {
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
    _disabled: { bg: 'sunken', color: 'inkMuted' },
    '&[aria-invalid=true]': { borderColor: 'danger', boxShadow: 'inset 0 0 0 1px var(--c-colors-danger)' },
  },
});

type TextFieldProps = ComponentProps<typeof Input> & {
  label: ReactNode;
  name: string;
  hint?: ReactNode;
  /** What is wrong with the value; null or missing when nothing is. */
  problem?: ReactNode;
};

/** A labelled, uncontrolled field whose hint and problem are read out with it. */
export const TextField = ({ label, hint = null, problem = null, ...input }: TextFieldProps): ReactElement => {
  const id = useId();
  const described = [hint === null ? null : `${id}-hint`, problem === null ? null : `${id}-problem`].filter(Boolean).join(' ');
  return (
    <chakra.div display="grid" gap={1}>
      <chakra.label htmlFor={id} fontSize="sm" fontWeight={600}>
        {label}
      </chakra.label>
      <Input
        id={id}
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={described === '' ? undefined : described}
        {...input}
      />
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
