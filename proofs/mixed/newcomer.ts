/** Apps that register themselves, each from its own address. */
import { register } from "../../test/apps/registration/register.ts"
import { send } from "../../test/support/connect.ts"
import { Life } from "./record.ts"
import { pause, type World } from "./world.ts"

const REST_MILLISECONDS = 400

export async function newcomers(world: World, name: string): Promise<void> {
  const choice = world.choice()
  for (let n = 0; !world.isEnough; n++) {
    const life = new Life(`${name}.${n}`)
    const address = `10.${choice.below(256)}.${choice.below(256)}.${choice.below(256)}`
    const asked = {
      client_name: `Tool ${n} of ${name}`,
      redirect_uris: ["http://127.0.0.1/callback"],
      token_endpoint_auth_method: "none",
    }
    const answer = await world.ask(life, "registration", (at) =>
      register(at, asked, { "x-forwarded-for": address }),
    )
    if (answer === null) continue
    if (answer.status !== 201) throw life.broken(`a registration was answered ${answer.status}`)
    const clientId = String(answer.body["client_id"])
    world.registered.push(clientId)
    await isKnown(world, life, clientId)
    await pause(REST_MILLISECONDS)
  }
}

/** Returns whether the service knows the app. */
export async function isKnown(world: World, life: Life, clientId: string): Promise<void> {
  const { status } = await world.surely(life, "device authorization", (at) =>
    send(at, "/oauth/device-authorization", { client_id: clientId }),
  )
  if (status !== 200) throw life.broken(`an app whose registration was acknowledged was answered ${status}`)
}
