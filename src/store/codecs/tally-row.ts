export type TallyRow = {
  readonly grain: string
  readonly client_id: string
  readonly at: number
  readonly name: string
  readonly count: number
}
