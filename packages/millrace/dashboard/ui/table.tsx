import type { ReactNode } from "react";

/** A column of a table. */
export interface Column<T> {
  /** The heading. */
  readonly title: string;
  /** The content of a cell. */
  readonly value: (row: T) => ReactNode;
  /** Takes the room that the other columns leave, and its own line on a narrow screen. Default: false. */
  readonly wide?: boolean;
  /** Dim, in one line, with digits of equal width: for numbers and times. Default: false. */
  readonly quiet?: boolean;
  /** The name by which the table is sorted when its heading is pressed. Default: it cannot be sorted by this column. */
  readonly sort?: string;
  /** Stands before the value where a narrow screen hides the titles. */
  readonly label?: string;
}

interface Props<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** The column by which the rows are sorted, and what to do when another one is chosen. */
  readonly sort?: { readonly by: string; readonly onSort: (by: string) => void };
}

/** Rows and columns; on a narrow screen each row is a small card. */
export function Table<T>({ columns, rows, keyOf, sort: order }: Props<T>) {
  return (
    <div className="table-scroll">
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ title, wide, sort }) => (
              <th
                key={title}
                scope="col"
                className={wide ? "wide" : undefined}
                aria-sort={sort !== undefined && sort === order?.by ? "descending" : undefined}
              >
                {order && sort !== undefined ? (
                  <button type="button" className="sort-button" onClick={() => order.onSort(sort)}>
                    {title}
                    {sort === order.by && <span aria-hidden="true"> ↓</span>}
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, value, wide, quiet, label }) => (
                <td key={title} data-label={label} className={wide ? "wide" : quiet ? "dim number nowrap" : undefined}>
                  {value(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
